"""The one name that an installation gives to Python: it puts the tree of the project first on the path.

In a wheel the tree lies in the folder `tree` beside this file; in a checkout it is the checkout. Nothing else of ours
is found in anybody's site-packages, and a package there that is called as one of ours is, such as `build`, is never
found in place of it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIApplication

_HERE = Path(__file__).resolve().parent
_INSTALLED = _HERE / "tree"
TREE = _INSTALLED if _INSTALLED.is_dir() else _HERE.parents[2]
"""The folder with `cli.py` and the packages that it names."""

sys.path.insert(0, str(TREE))


def main() -> None:
    """The `playbooks` command."""
    from cli import main as command

    command(prog_name="playbooks")


def application() -> WSGIApplication:
    """The write API, for `gunicorn 'playbook_library:application()'`; see `server.wsgi`."""
    from server.wsgi import application as made

    return made()
