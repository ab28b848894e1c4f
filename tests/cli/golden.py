"""What commands print about one small library, output and errors apart, and the schemas that they leave: kept whole.

A change that is meant shows as a difference of this file: `python -m tests.cli.golden` writes it anew.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from click.testing import CliRunner

import cli
from library.search.index import update_index
from tests.builders import AGENT, BOOK, LESSON, PLAYBOOK, RUN, TASK, TODAY, complete, put, titled, write_content
from tests.library.kept_answers import documents

KEPT = Path(__file__).with_name("kept-session.txt")
DAY = ("--today", TODAY.isoformat())
RUN_FILE = f"runs/{BOOK}/run_aaaaaaaaaaaaaaaaaaaaaaaaaa.yaml"
BROKEN = {
    "playbooks/bad.yaml": titled(PLAYBOOK, "Bad one").replace("difficulty: intermediate", "dificulty: advanced"),
    "playbooks/unknown.yaml": titled(PLAYBOOK, "Unknown ones").replace("  - claude-code", "  - claude-cod\n  - x"),
    "tasks/syntax.yaml": "name: [x\n",
    "lessons/hidden.yaml": titled(LESSON, "Hidden \u200b one"),
    "agents/index.yaml": AGENT,
}


class Session:
    """Commands that are called one after the other in one folder; what each printed."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.told = folder, list[str]()
        self.content = write_content(folder, {RUN_FILE: RUN, "lessons/one.yaml": LESSON})

    def run(self, *arguments: str, typed: str = "") -> None:
        """Call a command on the content of the session."""
        result = CliRunner().invoke(cli.main, [*arguments, "--content", str(self.content)], input=typed)
        self._keep(arguments, result.exit_code, result.stdout, result.stderr)

    def search(self, *arguments: str) -> None:
        """Ask the index that stands in the folder."""
        result = CliRunner().invoke(cli.main, ["search", *arguments, "--out", str(self.folder / "built" / "site")])
        self._keep(("search", *arguments), result.exit_code, result.stdout, result.stderr)

    def _keep(self, arguments: tuple[str, ...], code: int, stdout: str, stderr: str) -> None:
        said = f"=== {' '.join(arguments)}\n{code}\n{stdout}--- errors\n{stderr}"
        self.told.append(said.replace(str(self.folder), "HERE"))


def told(folder: Path) -> str:
    """The whole session."""
    session = Session(folder)
    _checks(session)
    _begins(session)
    _searches(session)
    return "\n".join([*session.told, *_schemas(folder / ".playbooks" / "schemas"), *_schemas(folder / "schemas")])


def _checks(session: Session) -> None:
    for arguments in (["check"], ["check", "--strict"], ["check", "--for-merge"], ["stats"], ["stats", "--gaps"]):
        session.run(*arguments, *DAY)
    session.run("schemas", str(session.folder / "schemas"))
    session.run("schemas", str(session.folder / "schemas"))
    session.run("fmt", "--check")
    session.run("fmt")
    session.run("fmt", "--check")
    put(session.content, f"playbooks/{BOOK}.yaml", complete(PLAYBOOK))
    session.run("fmt")
    session.run("check", "--for-merge", "--strict", *DAY)
    for name, text in BROKEN.items():
        put(session.content, name, text)
    for form in ("text", "json", "github"):
        session.run("check", "--format", form, *DAY)
    session.run("stats", *DAY)
    session.run("fmt")
    session.run("check", "--fix", *DAY)
    for name in BROKEN:
        (session.content / name).unlink()
    put(session.content, "tasks/draft.yaml", f"{TASK}status: draft\n")
    session.run("check", *DAY)


def _begins(session: Session) -> None:
    session.run("new", "lesson", "--title", "It waits", "--playbooks", f"{BOOK},nobody", *DAY)
    session.run("new", "lesson", "--title", "It waits", "--playbooks", BOOK, "--tags", "one,two", *DAY)
    session.run("new", "lesson", "--title", "It waits", *DAY)
    session.run("new", "agent", *DAY)
    session.run("new", "playbook", "--title", "Tune a piano", "--risk", "high", "--task", BOOK, *DAY)
    for name in ("lessons/it-waits.yaml", "playbooks/tune-a-piano.yaml"):
        session.told.append(f"=== {name}\n{(session.content / name).read_text()}")


def _searches(session: Session) -> None:
    session.search("tests")
    built = session.folder / "built"
    (built / "site").mkdir(parents=True)
    update_index(built, documents(), fresh=True)
    session.search("tranlsate", "reports", "--limit", "2")
    session.search("repair", "--type", "lesson", "--agent", "aidr")
    session.search("repair tests", "--min-trust", "tested", "--category", "home")
    session.search("qqqq")
    session.search(" ")
    session.search("x" * 501)


def _schemas(folder: Path) -> list[str]:
    """The schemas in a folder, without wording."""
    return [
        f"=== {path.name}\n{json.dumps(_bare(json.loads(path.read_text())), sort_keys=True)}\n"
        for path in sorted(folder.glob("*.json"))
    ]


def _bare(value: Any) -> Any:
    if isinstance(value, Mapping):
        kept = {name: inner for name, inner in value.items() if not (name == "description" and isinstance(inner, str))}
        return {name: _bare(inner) for name, inner in kept.items()}
    return [_bare(item) for item in value] if isinstance(value, list) else value


def main() -> None:
    """Keep what is told now."""
    with tempfile.TemporaryDirectory() as folder:
        KEPT.write_text(told(Path(folder)))


if __name__ == "__main__":
    main()
