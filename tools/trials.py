"""For the workflows of trials: what the machine must have, and what the week's proofs have to be told of.

python -m tools.trials needs                          the Debian packages of all trials
python -m tools.trials week LOCKS NEWEST ISSUE        what `trial prove --all --format json` said, twice
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

CONTENT = Path("content")
_PACKAGE = re.compile(r"[a-z0-9][a-z0-9.+-]+")


def packages(content: Path) -> list[str]:
    """What the trials need of Debian; a name that is none is left to `check`."""
    loaded = [YAML(typ="safe").load(path) for path in sorted(content.glob("trials/*/trial.yaml"))]
    names = {str(name) for trial in loaded for name in (trial.get("needs") or {}).get("debian") or ()}
    return sorted(name for name in names if _PACKAGE.fullmatch(name))


def broken(title: str, results: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """What is no longer proven, one paragraph a trial."""
    for result in results:
        if result["verdict"] != "proven":
            problems = "\n".join(result["problems"])[:3000]
            yield f"{title}: {result['trial']}: {result['verdict']}\n{problems}\n"


def week(content: Path, locks: Sequence[Mapping[str, Any]], newest: Sequence[Mapping[str, Any]]) -> str:
    """The text of an issue, empty when all is proven. A proof that does not hold any more is removed.

    What an error kept from being proven keeps its proof: that says nothing of the playbook.
    """
    for result in locks:
        if result["verdict"] == "not proven":
            (content / "trials" / result["trial"] / "proven.json").unlink(missing_ok=True)
    return "\n".join([*broken("With the locked versions", locks), *broken("With the newest versions", newest)])


def main(words: Sequence[str]) -> None:
    """Do what the words say."""
    if words[0] == "needs":
        print(*packages(CONTENT))
        return
    locks, newest = (json.loads(Path(name).read_bytes()) for name in words[1:3])
    Path(words[3]).write_text(week(CONTENT, locks, newest), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
