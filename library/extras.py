"""Parts that are heavy and not everybody's: extras of the package, each named with its command where it is missing."""

from importlib.util import find_spec

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
