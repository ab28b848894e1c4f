"""Files for hosts that only serve files: redirects, headers, and what each host needs besides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from build.routes import API, HTML

from ..files import ASSETS_AND_SEARCH
from ..manners import ASK_AGAIN, EVERYWHERE, FOR_EVER, ON_READS, PAGEFIND, STRICT, WORKER_CSP
from .addresses import Deployment, files, has_json_name, is_renamed, live
from .function import runs_function

_HEAD = "# Made by `playbooks deploy static` from the tables of routes and operations: change those, not this.\n"


def static_files(told: Deployment) -> Mapping[str, str]:
    """Every file by its name, relative to the top of the site, and a note of what each host needs."""
    return {
        "_redirects": _HEAD + "\n".join(_redirects(told)) + "\n",
        "_headers": _HEAD + "\n".join(_headers(told)) + "\n",
        "functions/api/v1/runs.js": runs_function(told, _HEAD[2:].strip()),
        ".nojekyll": "",
        "HOSTS.md": _notes(told),
    }


def _redirects(told: Deployment) -> Iterator[str]:
    """Former slugs, then addresses without `.json`, then what is away. The first that fits is taken."""
    for old, new in sorted(told.aliases.items()):
        for route in files():
            if is_renamed(route):
                yield f"{route.path.replace('{slug}', old)} {route.path.replace('{slug}', new)} 301"
    # Netlify looks at the query; Cloudflare Pages ignores these two, and takes functions/api/v1/runs.js.
    yield f"{API}/runs playbook=:slug {API}/runs/by-playbook/:slug.json 200"
    yield f"{API} {API}/index.json 200"
    yield f"{API}/ {API}/index.json 200"
    for route in files():
        if has_json_name(route):
            yield f"{route.path.replace('{slug}', ':slug')} /{route.file.replace('{slug}', ':slug')} 200"


def _headers(told: Deployment) -> Iterator[str]:
    """The headers that nginx gives too; a later block takes nothing of an earlier one away but by its name."""
    yield "/*"
    hsts = {STRICT: told.hsts} if told.hsts else {}
    for name, value in {**EVERYWHERE, **ON_READS, **hsts, "Cache-Control": ASK_AGAIN}.items():
        yield f"  {name}: {value}"
    yield from (f"{PAGEFIND}*", "  ! Content-Security-Policy", f"  Content-Security-Policy: {WORKER_CSP}")
    if any(forever for _, _, forever in ASSETS_AND_SEARCH):
        for path in ("/assets/*", "/pagefind/index/*", "/pagefind/fragment/*", "/pagefind/filter/*"):
            yield from (path, "  ! Cache-Control", f"  Cache-Control: {FOR_EVER}")
    for route in files():
        kind = route.content_type
        known = route.file.endswith((".json", ".txt")) and kind.startswith(("application/json", "text/plain"))
        if kind != HTML and not known:
            yield from ("/" + route.file.replace("{slug}", "*").replace("{number}", "*"), f"  Content-Type: {kind}")


def _notes(told: Deployment) -> str:
    """What each host does with these files."""
    away = "\n".join(f"- `{', '.join(methods)} {path}`" for path, methods in live())
    return f"""# The site {told.site_url} on a host of files

{_HEAD[2:]}
Copy the built site and these files into one folder. Build it with `--release`, so that it searches in the browser.

- **Netlify**: `_redirects` and `_headers` are enough.
- **Cloudflare Pages**: the same; `functions/` answers `{API}/runs?playbook=`. `404.html` lies at the top, as it must:
  without it a missing address is answered with the home page and 200.
- **GitHub Pages**: `.nojekyll` is needed. It knows no headers of one's own and no redirects: the API answers at the
  names of its files (`{API}/playbooks.json`), and former slugs lead on by their pages only.
- **S3 and CloudFront**: neither file is read; a CloudFront function has to add `.json` below `{API}/`.

On none of them is anything live. These addresses are not answered:

{away}
"""
