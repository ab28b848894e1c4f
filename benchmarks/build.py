"""Builds beside other site generators and `cp -r`, and edits by a resident builder: wall, CPU and memory.

`python -m benchmarks.build [--short] [--count N] [--rounds N] [--peers hugo,pelican,…] [--growth 1000,10000,50000]`
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path
from statistics import median

from benchmarks.build_peers import PEERS, Peer
from benchmarks.build_picture import picture
from benchmarks.corpus import records
from benchmarks.corpus_yaml import as_markdown, as_yaml
from benchmarks.peers import NotInstalled
from benchmarks.usage import Usage, usage

TODAY = "2026-11-20"
PICTURE = Path("docs/pictures/build-growth.svg")
BARE = "ours without index"
COPY = "cp -r of our output"
Times = dict[str, list[Usage]]


def main() -> None:
    """Measure, interleaved, and print tables in markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="200 playbooks, one round, Hugo: whether it still works.")
    parser.add_argument("--count", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--peers", default=",".join(PEERS), help="which of them, with commas; empty for none")
    parser.add_argument("--growth", default="", help="sizes to build cold without index, for the picture")
    options = parser.parse_args()
    if options.short:
        options.count, options.rounds, options.peers = 200, 1, "hugo"
    with tempfile.TemporaryDirectory() as name:
        if options.growth:
            grow(Path(name), [int(size) for size in options.growth.split(",")], options.rounds)
        else:
            compare(Path(name), options.count, options.rounds, [peer for peer in options.peers.split(",") if peer])


def corpus(folder: Path, count: int) -> tuple[Path, Path]:
    """The content, and its playbooks as Markdown."""
    content, pages = folder / "content", folder / "markdown"
    pages.mkdir(parents=True)
    for name, record in records(count, runs=count // 2):
        path = content / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(as_yaml(record))
        if name.startswith("playbooks/"):
            (pages / f"{path.stem}.md").write_text(as_markdown(record, path.stem), encoding="utf-8")
    return content, pages


def compare(folder: Path, count: int, rounds: int, names: list[str]) -> None:
    """Every system in turn, again and again; medians of the rounds."""
    content, pages = corpus(folder, count)
    peers = [peer for name in names if (peer := _ready(name, folder, pages))]
    times: Times = defaultdict(list)
    looks: Times = defaultdict(list)
    time.sleep(2.1)  # what was just written is read again, to be sure; real content is older
    for number in range(rounds + 1):
        look = number == rounds
        found = looks if look else times
        _ours(folder, content, found, look=look)
        for peer in peers:
            shutil.rmtree(peer.output, ignore_errors=True)
            found[peer.name].append(usage(peer.command, peer.folder, look=look))
        shutil.rmtree(folder / "copy", ignore_errors=True)
        copy = ["cp", "-r", f"{folder}/site/.", f"{folder}/copy"]
        found[COPY].append(usage(copy, folder, look=look))
        print("memory was looked at" if look else f"round {number + 1} of {rounds} is done", file=sys.stderr)
    resident = [
        sys.executable,
        "-W",
        "ignore",
        "-m",
        "benchmarks.build_resident",
        str(content),
        str(folder / "site"),
        TODAY,
    ]
    done = subprocess.run(resident, capture_output=True, text=True, check=True)
    print("one edit in a process that goes on, seconds to its own files and to the end:", done.stdout.strip())
    table(count, rounds, times, looks, [peer.name for peer in peers])


def _ours(folder: Path, content: Path, found: Times, *, look: bool) -> None:
    """A whole build with and without the index."""
    for name, out in (("ours", "site"), (BARE, "bare")):
        shutil.rmtree(folder / f".{out}", ignore_errors=True)
        (folder / out).unlink(missing_ok=True)
        began = command(content, folder / out) if out == "site" else _bare(content, folder / out)
        found[name].append(usage(began, folder, look=look))
    shutil.rmtree(folder / ".bare")


def command(content: Path, out: Path) -> list[str]:
    """One build as people run it."""
    return [*_python("cli"), "build", f"--content={content}", f"--out={out}", f"--today={TODAY}"]


def _bare(content: Path, out: Path) -> list[str]:
    return [*_python("benchmarks.build_once"), str(content), str(out), TODAY]


def _python(module: str) -> list[str]:
    """A module of ours as a program; compiled once, like every Python program that was run before."""
    told = ["env", "-u", "PYTHONDONTWRITEBYTECODE", f"PYTHONPATH={Path.cwd()}"]
    return [*told, sys.executable, "-W", "ignore", "-m", module]


def _ready(name: str, folder: Path, pages: Path) -> Peer | None:
    """A peer with a warm run behind it, or the reason why there is none."""
    place = folder / name
    place.mkdir()
    try:
        peer = PEERS[name](place, pages)
        usage(peer.command, peer.folder)
    except NotInstalled as error:
        print(f"{name} is left out: {error}")
    except subprocess.CalledProcessError as error:
        print(f"{name} is left out, it failed: {error.output[-300:]!r}")
    else:
        return peer
    return None


def table(count: int, rounds: int, times: Times, looks: Times, peers: list[str]) -> None:
    """The medians in markdown, with the ratios of our cold builds to each peer's; memory is of one more run."""
    print(f"\n{count:,} playbooks, medians of {rounds}\n\n| system | wall s | CPU s | peak MiB |")
    print("| --- | ---: | ---: | ---: |")
    for name, uses in times.items():
        wall, cpu = (median(getattr(use, part) for use in uses) for part in ("wall", "cpu"))
        print(f"| {name} | {wall:.2f} | {cpu:.2f} | {looks[name][0].memory:,.0f} |")
    print("\n| cold, ratio to | without index: wall | CPU | with index: wall | CPU |")
    print("| --- | ---: | ---: | ---: | ---: |")
    for peer in [*peers, COPY]:
        ratios = (
            median(
                getattr(mine, part) / getattr(other, part) for mine, other in zip(times[name], times[peer], strict=True)
            )
            for name in (BARE, "ours")
            for part in ("wall", "cpu")
        )
        print(f"| {peer} | " + " | ".join(f"{ratio:.2f}" for ratio in ratios) + " |")


def grow(folder: Path, sizes: list[int], rounds: int) -> None:
    """Cold builds without the index of libraries of several sizes; draws them."""
    found: dict[int, Usage] = {}
    for size in sizes:
        content, _ = corpus(folder / str(size), size)
        uses = []
        for _ in range(rounds):
            shutil.rmtree(folder / ".site", ignore_errors=True)
            (folder / "site").unlink(missing_ok=True)
            uses.append(usage(_bare(content, folder / "site"), folder))
        found[size] = sorted(uses, key=lambda use: use.cpu)[len(uses) // 2]
        each = found[size].cpu / size * 1000
        print(f"{size:,} playbooks: {found[size].wall:.1f} s, CPU {found[size].cpu:.1f} s, {each:.2f} ms a playbook")
        shutil.rmtree(folder / str(size))
    PICTURE.write_text(picture({size: use.cpu for size, use in found.items()}), encoding="utf-8")


if __name__ == "__main__":
    main()
