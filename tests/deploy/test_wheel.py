"""The wheel holds all that an installed library reads, and names all that it imports; `make wheel` walks it."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

import cli
from library import __version__
from library.problems import UsageError
from library.variables import EXTRAS, missing
from server.queue import open_queue
from tests.cli.test_commands import run
from tests.test_layers import MAY_IMPORT, PROJECT, ROOMS, imports

TOLD = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
TREE = "playbook_library/tree/"
LEFT_OUT = ("docs/pictures/", "docs/decisions/")
"""What readers of the repository alone look at."""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel of this checkout, made without the network."""
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    [made] = folder.glob("*.whl")
    return zipfile.ZipFile(made)


def test_it_gives_python_one_name(wheel: zipfile.ZipFile) -> None:
    """A package of another project that is called as one of ours, such as PyPI's `build`, is left as it is."""
    tops = {name.split("/")[0] for name in wheel.namelist()}
    assert {name for name in tops if not name.endswith(".dist-info")} == {"playbook_library"}


def test_it_holds_all_that_git_knows_of_what_is_installed(wheel: zipfile.ZipFile) -> None:
    told = TOLD["tool"]["hatch"]["build"]["targets"]["wheel"]
    rooms = told["only-include"]
    assert {*rooms, *told["force-include"]} >= {*(MAY_IMPORT.keys() - {"cli"}), "cli.py"}
    known = subprocess.run(
        ["git", "ls-files", *rooms, "cli.py"], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    wanted = {name for name in known.stdout.splitlines() if not name.startswith(LEFT_OUT) and (PROJECT / name).exists()}
    held = {name.removeprefix(TREE) for name in wheel.namelist() if name.startswith(TREE)}
    assert len(wanted) > 300
    assert wanted - held == set()
    assert {name for name in held - wanted if not (PROJECT / name).is_file()} == set()


def test_a_file_is_read_from_the_checkouts_top_only_where_the_wheel_has_it_too(wheel: zipfile.ZipFile) -> None:
    """Every folder that code joins to the top, such as `PROJECT / "docs"`."""
    tops = {name.removeprefix(TREE).split("/")[0] for name in wheel.namelist() if name.startswith(TREE)}
    named = {
        found for path in ROOMS for found in re.findall(r'\b(?:PROJECT|project) / "(\w+)', path.read_text("utf-8"))
    }
    assert named >= {"docs", "deploy", "site_templates"}
    assert named <= tops


def test_all_that_is_imported_is_a_dependency() -> None:
    """Of the package or of the extra that names it; what another dependency happens to bring is none."""
    extras = {name: words for name, words in TOLD["project"]["optional-dependencies"].items() if name != "dev"}
    assert extras.keys() == EXTRAS.keys()
    declared = {plain(word) for word in TOLD["project"]["dependencies"]}
    optional = {module: extra for extra, modules in EXTRAS.items() for module in modules}
    bring = packages_distributions()
    wrong = set()
    for path in ROOMS:
        for module in {name.split(".")[0] for name in imports(path)} - MAY_IMPORT.keys() - sys.stdlib_module_names:
            of_extra = {plain(word) for word in extras.get(optional.get(module, ""), ())}
            if module != "_typeshed" and not {plain(name) for name in bring[module]} & (declared | of_extra):
                wrong.add(f"{path.relative_to(PROJECT)} imports {module}")
    assert wrong == set()


def plain(word: str) -> str:
    """The name of a distribution without its extras, as indexes spell it."""
    return re.sub(r"[-_.]+", "-", re.split(r"[\[<>=!~ ;]", word)[0]).lower()


def test_the_locks_are_of_what_is_declared() -> None:
    """`make lock` reads nothing else; the development lock holds every pin of the other one."""
    run_, dev = (pins(PROJECT / f"requirements{kind}.lock") for kind in ("", "-dev"))
    optional = TOLD["project"]["optional-dependencies"]
    ours = {plain(word) for word in TOLD["project"]["dependencies"]}
    ours |= {plain(word) for name, words in optional.items() if name != "dev" for word in words}
    assert ours <= run_.keys()
    assert {plain(word) for word in optional["dev"]} <= dev.keys()
    assert run_.items() <= dev.items()


def pins(lock: Path) -> dict[str, str]:
    text = lock.read_text(encoding="utf-8")
    assert not re.search(r"https?://|index-url|find-links", text), "an address of an index"
    found = dict(re.findall(r"^([A-Za-z0-9._-]+)==(\S+)", text, re.MULTILINE))
    assert text.count("==") == len(found)
    return {plain(name): version for name, version in found.items()}


def test_the_version_has_one_source(wheel: zipfile.ZipFile) -> None:
    [metadata] = [name for name in wheel.namelist() if name.endswith(".dist-info/METADATA")]
    assert f"\nVersion: {__version__}\n" in wheel.read(metadata).decode()
    assert run("--version").output == f"playbooks, version {__version__}\n"


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_missing_is_named_with_its_command(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing(extra) == ""
    for module in EXTRAS[extra]:
        monkeypatch.setitem(sys.modules, module, None)  # as if it were not installed
    said = missing(extra)
    assert f"is not installed: pip install 'playbook-library[{extra}]'" in said
    assert all(what in said for what in EXTRAS[extra].values())
    assert "\n" not in said


@pytest.mark.parametrize(
    ("extra", "name", "value"),
    [
        ("postgresql", "PLAYBOOKS_DATABASE_URL", "postgresql://nobody:secret@127.0.0.1:1/none"),
        ("redis", "PLAYBOOKS_LIMITS_URL", "redis://:secret@127.0.0.1:1/0"),
        ("redis", "PLAYBOOKS_LIMITS_URL", "redis+unix:///run/redis.sock"),
    ],
)
def test_a_setting_that_needs_an_extra_names_it(
    extra: str, name: str, value: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in EXTRAS[extra]:
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(UsageError, match=rf"{name}: .*'playbook-library\[{extra}\]'") as refused:
        open_queue({name: value}, "http://127.0.0.1", tmp_path / "var")
    assert "secret@" not in str(refused.value)
    assert "nobody" not in str(refused.value)


def test_every_command_loads_without_the_extras() -> None:
    """None of them imports an extra before it is used."""
    modules = [module for extra in EXTRAS.values() for module in extra]
    code = "import sys; sys.modules.update(dict.fromkeys(sys.argv[1:])); import cli; import server.wsgi\n"
    code += "for name in cli.COMMANDS: cli.main.get_command(None, name)"
    subprocess.run([sys.executable, "-W", "error", "-c", code, *modules], cwd=PROJECT, check=True)
    assert len(cli.COMMANDS) > 15
