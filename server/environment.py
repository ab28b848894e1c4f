"""What the server finds where it runs: its own variables, all that is wrong with them, and whose site is built."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path

import click
import orjson
from click.core import ParameterSource

from library.options import today as present_day
from library.problems import UsageError
from library.variables import misspelt

_HOST = re.compile(r"[0-9A-Za-z._-]+|[0-9A-Fa-f:.]+|\[[0-9A-Fa-f:.]+\]")
_HSTS = re.compile(r"([0-9]+)((?:; includeSubDomains)?)")
_YEARS = 2 * 366 * 86_400


def strict_transport(environment: Mapping[str, str]) -> str:
    """The value of `Strict-Transport-Security` by `PLAYBOOKS_HSTS`, seconds, or `…; includeSubDomains`; empty without.

    Raises `UsageError` for a number that is none. Nobody who has seen it uses plain http until they have passed.
    """
    text = environment.get("PLAYBOOKS_HSTS", "") or "0"
    told = _HSTS.fullmatch(text)
    if told is None or int(told[1][:12]) > _YEARS:
        most = f"a whole number of seconds, at most {_YEARS}, with `; includeSubDomains` after it or not"
        raise UsageError(f"PLAYBOOKS_HSTS is {text!r}; it must be {most}")
    return f"max-age={int(told[1])}{told[2]}" if int(told[1]) else ""


def mcp_hosts(environment: Mapping[str, str]) -> list[str]:
    """Further names by which the endpoint may be asked, from `PLAYBOOKS_MCP_HOSTS`: separated by commas or spaces.

    Raises `UsageError` for what can be no name: nobody could ever ask by it.
    """
    names = environment.get("PLAYBOOKS_MCP_HOSTS", "").replace(",", " ").split()
    if wrong := [name for name in names if not _HOST.fullmatch(name)]:
        told = ", ".join(map(repr, wrong))
        raise UsageError(f"PLAYBOOKS_MCP_HOSTS holds {told}; it must be names or addresses, without scheme or port")
    return names


def site_url_of(out: Path, mend: str = "build first, or set PLAYBOOKS_SITE") -> str:
    """The address that the site behind `out` was built for, as its own index says. Raises `UsageError` for none."""
    try:
        links = orjson.loads((out / "api/v1/index.json").read_bytes())["links"]
        return str(links["playbooks"]).removesuffix("/api/v1/playbooks")
    except (OSError, ValueError, KeyError) as error:
        raise UsageError(f"there is no built site at {out}; {mend}") from error


def the_day(given: date) -> Callable[[], date]:
    """The day of a command that goes on: the one that --today named, else the present one, however long it runs."""
    named = click.get_current_context().get_parameter_source("today") is not ParameterSource.DEFAULT
    return (lambda: given) if named else present_day


def own_problems(environment: Mapping[str, str], *further: Callable[[Mapping[str, str]], object]) -> Iterator[str]:
    """What is wrong with what is read here, and with what `further` readers read."""
    for read in (strict_transport, mcp_hosts, *further):
        try:
            read(environment)
        except UsageError as error:
            yield str(error)


def refuse_wrong(environment: Mapping[str, str], *further: Callable[[Mapping[str, str]], object]) -> None:
    """Raise `UsageError` with all that is wrong there, and with each name that is one of ours misspelt."""
    if problems := [*misspelt(environment), *own_problems(environment, *further)]:
        raise UsageError("\n".join(problems))
