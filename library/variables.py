"""Every environment variable that commands and services read, and every extra part that they can do without."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from importlib.util import find_spec

PREFIX = "PLAYBOOKS_"
_NEAR = 0.8
"""How alike a name must be to a known one to count as that one misspelt; a name of a later release is not so near."""
_FAR = 0.5
_OF_TESTS = ("PLAYBOOKS_LONG",)
"""How long the project's own tests run; they start services that see these too."""


@dataclass(frozen=True, slots=True)
class Variable:
    """What one variable says. `default` is what it is if absent, where a value says that; else `absent` tells it."""

    name: str
    says: str
    default: str = ""
    absent: str = ""


SERVICE = (
    Variable(
        "PLAYBOOKS_DATABASE_URL",
        "Where the queue is kept: `postgresql://…`, or `sqlite:////absolute/path`.",
        absent="`queue.db` in the folder of `--var` or `PLAYBOOKS_VAR`",
    ),
    Variable(
        "PLAYBOOKS_LIMITS_URL",
        "Where the limits are counted: `redis://…`, `rediss://…` or `redis+unix://…`, for several machines.",
        absent="`limits.db` in the same folder",
    ),
    Variable(
        "PLAYBOOKS_REDIS_GONE",
        "When Redis cannot be asked: `refuse` every write, or `fall-back` to `limits.db`.",
        "refuse",
    ),
    Variable(
        "PLAYBOOKS_TRUSTED_PROXIES",
        "The exact number of proxies in front, 0 to 10; `X-Forwarded-For` counts only with it.",
        "0",
    ),
    Variable("PLAYBOOKS_WRITE_LIMITS", "Writes of one caller.", "60 per minute; 1000 per day"),
    Variable("PLAYBOOKS_CONTRIBUTOR_LIMITS", "Contributors created by one caller.", "5 per hour"),
    Variable(
        "WEB_CONCURRENCY",
        "How many processes serve; gunicorn takes it for `--workers`.",
        "1",
        absent="2 by `deploy/gunicorn.conf.py`",
    ),
    Variable(
        "PLAYBOOKS_SECRET",
        "What is kept of addresses is keyed with it: 32 characters or more, the same on all machines.",
        absent="`secret` in the same folder, made at the first start",
    ),
    Variable("PLAYBOOKS_LEAST_FREE_MIB", "With less room on the disk, in MiB, `/readyz` is 503.", "64"),
    Variable("PLAYBOOKS_OUTBOX_HOURS", "Decisions that wait for longer are a warning at `/readyz`.", "24"),
    Variable(
        "PLAYBOOKS_HSTS",
        "For how many seconds browsers are to use https only; on every answer.",
        "0",
        absent="not said",
    ),
    Variable(
        "PLAYBOOKS_MCP_HOSTS",
        "Further names, with commas between them, that `/mcp` may be asked by: any other `Host` than these, the site's"
        " own, and loopback's is refused.",
        absent="none",
    ),
)
"""Read by `serve`, by gunicorn, by `mcp`, and by the commands that open the queue."""
GUNICORN = (
    Variable("PLAYBOOKS_SITE", "The built site.", "site"),
    Variable("PLAYBOOKS_VAR", "The folder of `queue.db`, `limits.db` and `secret`.", "var"),
    Variable("PLAYBOOKS_CONTENT", "The folder of YAML files that the pages at `/review` work with.", "content"),
    Variable(
        "PLAYBOOKS_BIND",
        "Where `deploy/gunicorn.conf.py` listens: `unix:/path`, or an address and a port.",
        "unix:/run/playbooks/api.sock",
    ),
    Variable("PLAYBOOKS_THREADS", "The threads of each process, by `deploy/gunicorn.conf.py`.", "8"),
    Variable(
        "PLAYBOOKS_METRICS",
        "1 lets workers count for `playbooks metrics`, by `deploy/gunicorn.conf.py`.",
        "0",
        absent="not counted",
    ),
)
"""Read by gunicorn, its settings in `deploy/`, and the units."""
COMMANDS = (
    Variable("PLAYBOOKS_URL", "The library that `report` and `submit` send to.", absent="that of `content/site.yaml`"),
    Variable("PLAYBOOKS_KEY", "The API key that `report`, `submit` and `mcp` send along.", absent="none is sent"),
    Variable("PLAYBOOKS_EDITOR_KEY", "The key of the editor who decides by `review`.", absent="it is asked for"),
    Variable("PLAYBOOKS_REVIEWER", "The command of a reviewer of your own, for `review screen`.", absent="none"),
    Variable("PLAYBOOKS_KEEP_ADDRESSES", "The days after which `prune` forgets from where things were sent.", "30"),
    Variable("PLAYBOOKS_KEEP_ANSWERS", "The days after which `prune` forgets answers to repeated requests.", "7"),
)
"""Read by single commands."""
VARIABLES = (*SERVICE, *GUNICORN, *COMMANDS)
_KNOWN = frozenset({*(variable.name for variable in VARIABLES), *_OF_TESTS})


def misspelt(environment: Mapping[str, str]) -> Iterator[str]:
    """What is wrong with each name that is nearly one of ours: whoever set it believes that it counts."""
    for name in _strange(environment):
        if near := _near(name, _NEAR):
            yield f"{name} is not read by anything; it looks like {near}: rename it, or take it away"


def unread(environment: Mapping[str, str]) -> Iterator[str]:
    """A line for each further name that begins like ours. It stops nothing: a later release may know it."""
    for name in _strange(environment):
        if not _near(name, _NEAR):
            near = _near(name, _FAR)
            yield f"{name} is not read by anything{f'; the nearest is {near}' if near else ''}"


def _strange(environment: Mapping[str, str]) -> list[str]:
    """Names that begin like ours and are none, and ours written without the `S`."""
    return sorted(
        name
        for name in environment
        if (name.startswith(PREFIX) and name not in _KNOWN)
        or (name.startswith("PLAYBOOK_") and PREFIX + name.partition("_")[2] in _KNOWN)
    )


def _near(name: str, least: float) -> str:
    """The known name that is nearest, by what comes after that which all have."""
    tails = sorted(known.removeprefix(PREFIX) for known in _KNOWN if known.startswith(PREFIX))
    found = get_close_matches(name.partition("_")[2], tails, n=1, cutoff=least)
    return PREFIX + found[0] if found else ""


EXTRAS = {
    "postgresql": {"psycopg": "PostgreSQL"},
    "redis": {"redis": "Redis"},
    "release": {"PIL": "pictures", "pagefind_bin_extended": "search in the browser"},
}
"""Each extra of `pyproject.toml`: the modules that it brings, and what each is for."""


def missing(extra: str) -> str:
    """What of an extra is not installed, with the command that installs it; empty where all of it is there."""
    what = " and ".join(name for module, name in EXTRAS[extra].items() if find_spec(module) is None)
    install = f"pip install 'playbook-library[{extra}]' (in a checkout: make setup)"
    return f"{what} is not installed: {install}" if what else ""
