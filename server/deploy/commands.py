"""The command `deploy`: configuration for the servers before the service, made from its own tables."""

import os
import re
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import Any

import click
import orjson

from build.commands import SiteAddress
from build.settings import PROJECT
from build.views.routes import API
from library.durable import replace_file
from library.problems import UsageError
from writeapi.settings import budgets

from ..environment import site_url_of, strict_transport
from ..files import SLUG
from .configuration import Deployment, files_for, refuse_wrong

SOURCE = PROJECT / "deploy"
ENVIRONMENT = "environment"  # what whoever runs it writes into: it is made once, and never written over

_UNREADABLE = ("/home/", "/root/", "/run/user/")  # what `ProtectHome` keeps from every unit


@dataclass(frozen=True)
class Machine:
    """Where everything lies on a machine; as it stands here, in the files of `deploy/`.

    `library` is the folder with `content`, `commands` that of `playbooks` and gunicorn, `root` the built site, `folder`
    where these files will be.
    """

    library: str = "/srv/playbooks/app"
    commands: str = "/srv/playbooks/app/.venv/bin"
    root: str = "/srv/playbooks/site"
    folder: str = "/etc/playbooks"
    user: str = "playbooks"

    def __post_init__(self) -> None:
        """Refuse what a unit would read as something else: all of it at once."""
        named = {"--library": self.library, "--commands": self.commands, "--root": self.root}
        refuse_wrong({**named, "--folder": self.folder, "--user": self.user})

    def filled(self, text: str) -> str:
        """A file of `deploy/`, its paths and its account those of this machine."""
        ours = Machine()
        places = {getattr(ours, name): getattr(self, name) for name in ("commands", "library", "root", "folder")}
        places |= {str(PurePosixPath(ours.root).parent): str(PurePosixPath(self.root).parent)}
        places |= {f"User={ours.user}": f"User={self.user}"}
        return re.sub("|".join(map(re.escape, places)), lambda match: places[match[0]], text)


def systemd_files(told: Machine) -> Mapping[str, str]:
    """Every file by its name below the folder where they will be."""
    found = {"gunicorn.conf.py": (SOURCE / "gunicorn.conf.py").read_text(encoding="utf-8")}
    for path in sorted((SOURCE / "systemd").iterdir()):
        name = path.name if path.name == ENVIRONMENT else f"systemd/{path.name}"
        found[name] = told.filled(path.read_text(encoding="utf-8"))
    return found


@click.group(epilog="Example: playbooks deploy nginx --site site --out /etc/playbooks/nginx")
def deploy() -> None:
    """Write the configuration of the servers before the service, from its tables of routes and operations."""


_FOLDER = click.Path(path_type=Path, file_okay=False)
_SITE = "The built site: its address and its former slugs are taken from it."
_out = click.option("--out", type=_FOLDER, required=True, help="Where to write it.")
_site = click.option("--site", type=_FOLDER, help=_SITE)
_address = click.option("--site-url", type=SiteAddress(), help="The address of the site, where none is built here.")
_PROXY = "A network, such as a CDN's, that may say who the caller is."
_root = click.option("--root", default=Deployment.root, show_default=True, help="The built site on the machine.")
_api = click.option("--api", multiple=True, default=Deployment.api, show_default=True, help="Where gunicorn listens.")
_MCP = "Where the MCP server listens."
_mcp = click.option("--mcp", multiple=True, default=Deployment.mcp, show_default=True, help=_MCP)


@deploy.command(epilog="Example: playbooks deploy nginx --site site --out /etc/playbooks/nginx")
@_out
@_site
@_address
@_root
@click.option("--folder", help="Where these files will lie there; --out if absent.")
@click.option("--listen", multiple=True, default=Deployment.listen, show_default=True, help="Where nginx listens.")
@_api
@_mcp
@click.option("--no-api", is_flag=True, help="There is no live part: only files are served.")
@click.option("--trusted-proxy", "proxies", multiple=True, help=_PROXY)
@click.option("--no-brotli", "brotli", flag_value=False, default=True, help="This nginx has no brotli_static.")
def nginx(
    out: Path, site: Path | None, site_url: str | None, folder: str | None, no_api: bool, **options: object
) -> None:
    """Files for nginx: the site, its negotiation and errors, and what goes to the processes behind."""
    options |= {"folder": folder or str(out.absolute())} | ({"api": (), "mcp": ()} if no_api else {})
    write_all(out, files_for("nginx", of_site(site, site_url, os.environ, options)))


@deploy.command(epilog="Example: playbooks deploy caddy --site site --out /etc/caddy")
@_out
@_site
@_address
@_root
@_api
@_mcp
def caddy(out: Path, site: Path | None, site_url: str | None, **options: object) -> None:
    """A Caddyfile with its own certificates: the site, and what goes to the processes behind."""
    write_all(out, files_for("caddy", of_site(site, site_url, os.environ, options)))


@deploy.command(epilog="Example: playbooks deploy static --site site --out site-files")
@_out
@_site
@_address
def static(out: Path, site: Path | None, site_url: str | None) -> None:
    """Files for Netlify, Cloudflare Pages and other hosts that only serve files."""
    write_all(out, files_for("static", of_site(site, site_url, os.environ)))


@deploy.command(epilog="Example: playbooks deploy systemd --out /etc/playbooks --library /srv/playbooks/app")
@_out
@click.option("--library", help="The folder of the library on that machine, with content in it; this folder if absent.")
@click.option("--commands", help="Where playbooks and gunicorn are installed there; as here if absent.")
@click.option("--root", default=Machine.root, show_default=True, help="The built site on that machine.")
@click.option("--folder", help="Where these files will lie there; --out if absent.")
@click.option("--user", default=Machine.user, show_default=True, help="The account that runs it.")
def systemd(out: Path, library: str | None, commands: str | None, root: str, folder: str | None, user: str) -> None:
    """Units for systemd, gunicorn's settings, and an environment for yours, which is never written over."""
    commands = commands or sysconfig.get_path("scripts")
    told = Machine(library or str(Path.cwd()), commands, root, folder or str(out.absolute()), user)
    files = systemd_files(told)
    write_all(out, {name: text for name, text in files.items() if name != ENVIRONMENT or not (out / name).exists()})
    for place in (told.library, commands, str(Path(commands, "python").resolve()), root, told.folder):
        if place.startswith(_UNREADABLE):
            click.echo(f"{place} lies below a home folder, which the units may not read: put it elsewhere", err=True)


def of_site(
    site: Path | None,
    site_url: str | None,
    environment: Mapping[str, str] = MappingProxyType({}),
    options: Mapping[str, Any] = MappingProxyType({}),
) -> Deployment:
    """What a built site says of itself; where there is none, its address alone. Raises `UsageError` with all problems.

    `options` are further fields of the deployment.
    """
    options = {**options, "hsts": strict_transport(environment), "budgets": budgets(environment)}
    if site is None:
        if site_url is None:
            raise UsageError("say which site it is for: --site DIR of a built one, or --site-url ADDRESS")
        return Deployment(site_url.rstrip("/"), **options)
    place = site / API[1:] / "aliases.json"
    try:
        aliases = orjson.loads(place.read_bytes())["items"]
        if not all(re.fullmatch(SLUG, slug) for slug in (*aliases, *aliases.values())):
            raise ValueError(aliases)
    except OSError as error:
        raise UsageError(f"{site} is no built site; name one that `playbooks build` has made with --site") from error
    except (ValueError, LookupError, TypeError, AttributeError) as error:
        raise UsageError(f"{place} is damaged; build the site again") from error
    return Deployment((site_url or site_url_of(site.absolute())).rstrip("/"), aliases=aliases, **options)


def write_all(out: Path, files: Mapping[str, str]) -> None:
    """Write the files, each whole."""
    for name, text in files.items():
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        replace_file(out / name, text.encode())
    click.echo(f"{out}: {len(files)} file{'' if len(files) == 1 else 's'}")
