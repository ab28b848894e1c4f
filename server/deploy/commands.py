"""The command `deploy`: configuration for the servers before the service, made from its own tables."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click
import orjson

from build.commands import SiteAddress
from build.routes import API
from library.problems import UsageError

from ..environment import strict_transport
from ..wsgi import built_for
from .addresses import Deployment
from .caddy import caddy_files
from .nginx import nginx_files
from .static import static_files
from .systemd import ENVIRONMENT, Machine, systemd_files


@click.group(epilog="Example: playbooks deploy nginx --site site --out /etc/playbooks/nginx")
def deploy() -> None:
    """Write the configuration of the servers before the service, from its tables of routes and operations."""


_out = click.option("--out", type=click.Path(path_type=Path, file_okay=False), required=True, help="Where to write it.")
_site = click.option(
    "--site",
    type=click.Path(path_type=Path, file_okay=False),
    help="The built site: its address and its former slugs are taken from it.",
)
_address = click.option("--site-url", type=SiteAddress(), help="The address of the site, where none is built here.")


@deploy.command(epilog="Example: playbooks deploy nginx --site site --out /etc/playbooks/nginx")
@_out
@_site
@_address
@click.option("--root", default=Deployment.root, show_default=True, help="The built site on the machine of nginx.")
@click.option("--folder", help="Where these files will lie there; --out if absent.")
@click.option("--listen", multiple=True, default=("80", "[::]:80"), show_default=True, help="Where nginx listens.")
@click.option("--api", multiple=True, default=Deployment.api, show_default=True, help="Where gunicorn listens.")
@click.option("--mcp", multiple=True, default=Deployment.mcp, show_default=True, help="Where the MCP server listens.")
@click.option("--no-api", is_flag=True, help="There is no live part: only files are served.")
@click.option("--trusted-proxy", multiple=True, help="A network, such as a CDN's, that may say who the caller is.")
@click.option("--no-brotli", is_flag=True, help="This nginx has no brotli_static.")
def nginx(
    out: Path,
    site: Path | None,
    site_url: str | None,
    root: str,
    folder: str | None,
    listen: tuple[str, ...],
    api: tuple[str, ...],
    mcp: tuple[str, ...],
    no_api: bool,
    trusted_proxy: tuple[str, ...],
    no_brotli: bool,
) -> None:
    """Files for nginx: the site, its negotiation and errors, and what goes to the processes behind."""
    told = of_site(
        site,
        site_url,
        root=root,
        folder=folder or str(out.absolute()),
        listen=listen,
        api=() if no_api else api,
        mcp=() if no_api else mcp,
        proxies=trusted_proxy,
        hsts=strict_transport(os.environ),
        brotli=not no_brotli,
    )
    write_all(out, nginx_files(told))


@deploy.command(epilog="Example: playbooks deploy caddy --site site --out /etc/caddy")
@_out
@_site
@_address
@click.option("--root", default=Deployment.root, show_default=True, help="The built site on the machine of Caddy.")
@click.option("--api", multiple=True, default=Deployment.api, show_default=True, help="Where gunicorn listens.")
@click.option("--mcp", multiple=True, default=Deployment.mcp, show_default=True, help="Where the MCP server listens.")
def caddy(
    out: Path, site: Path | None, site_url: str | None, root: str, api: tuple[str, ...], mcp: tuple[str, ...]
) -> None:
    """A Caddyfile with its own certificates: the site, and what goes to the processes behind."""
    told = of_site(site, site_url, root=root, api=api, mcp=mcp, hsts=strict_transport(os.environ))
    write_all(out, caddy_files(told))


@deploy.command(epilog="Example: playbooks deploy static --site site --out site-files")
@_out
@_site
@_address
def static(out: Path, site: Path | None, site_url: str | None) -> None:
    """Files for Netlify, Cloudflare Pages and other hosts that only serve files."""
    write_all(out, static_files(of_site(site, site_url, hsts=strict_transport(os.environ))))


@deploy.command(epilog="Example: playbooks deploy systemd --out /etc/playbooks --library /srv/playbooks/app")
@_out
@click.option("--library", help="The folder of the library on that machine, with content in it; this folder if absent.")
@click.option("--commands", help="Where playbooks and gunicorn are installed there; as here if absent.")
@click.option("--root", default=Machine.root, show_default=True, help="The built site on that machine.")
@click.option("--folder", help="Where these files will lie there; --out if absent.")
@click.option("--user", default=Machine.user, show_default=True, help="The account that runs it.")
def systemd(out: Path, library: str | None, commands: str | None, root: str, folder: str | None, user: str) -> None:
    """Units for systemd, gunicorn's settings, and an environment for yours, which is never written over."""
    told = Machine(
        library=library or str(Path.cwd()),
        commands=commands or sysconfig.get_path("scripts"),
        root=root,
        folder=folder or str(out.absolute()),
        user=user,
    )
    files = systemd_files(told)
    write_all(out, {name: text for name, text in files.items() if name != ENVIRONMENT or not (out / name).exists()})
    for place in told.unreadable:
        click.echo(f"{place} lies below a home folder, which the units may not read: put it elsewhere", err=True)


def of_site(site: Path | None, site_url: str | None, **options: Any) -> Deployment:  # noqa: ANN401 - its own fields
    """What a built site says of itself; where there is none, its address alone. Raises `UsageError` with all problems.

    `options` are further fields of the deployment.
    """
    if site is None:
        if site_url is None:
            raise UsageError("say which site it is for: --site DIR of a built one, or --site-url ADDRESS")
        return Deployment(site_url.rstrip("/"), **options)
    place = site / API[1:] / "aliases.json"
    if not place.exists():
        raise UsageError(f"{site} is no built site; name one that `playbooks build` has made with --site")
    try:
        aliases = orjson.loads(place.read_bytes())["items"]
    except (ValueError, LookupError, TypeError) as error:
        raise UsageError(f"{place} is damaged; build the site again") from error
    return Deployment((site_url or built_for(site.absolute())).rstrip("/"), aliases=aliases, **options)


def write_all(out: Path, files: Mapping[str, str]) -> None:
    """Write the files, each whole."""
    for name, text in files.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(f".{path.name}.new")
        fresh.write_text(text, encoding="utf-8")
        fresh.replace(path)
    click.echo(f"{out}: {len(files)} file{'' if len(files) == 1 else 's'}")
