"""How well and how quickly private data is found, beside detect-secrets on the same texts in the same run.

`python -m benchmarks.privacy [--short] [--peer FOLDER]`; the peer is installed into a virtual environment at FOLDER.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypedDict

import yaml

from library.rules.privacy import find
from tests.library.privacy_set import HOSTILE, SECRET_KINDS, SET, Item


class Answer(TypedDict):
    """What the peer says: whether it flagged each item, and how long each field took."""

    flagged: list[bool]
    seconds: list[float]


PLAYBOOKS = Path(__file__).parent.parent / "content" / "playbooks"
PEER = r"""
import json, sys, time
from detect_secrets.core.scan import scan_line
from detect_secrets.settings import default_settings, transient_settings
from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
asked = json.load(sys.stdin)
names = [found.__name__ for found in get_mapping_from_secret_type_to_class().values()]
def found(text):
    return any(True for line in text.splitlines() for _ in scan_line(line))
def answer():
    flagged = [found(text) for text in asked["items"]]
    seconds = []
    for text in asked["fields"]:
        began = time.perf_counter(); found(text); seconds.append(time.perf_counter() - began)
    return {"flagged": flagged, "seconds": seconds}
with default_settings():
    all_plugins = answer()
with transient_settings({"plugins_used": [{"name": name} for name in names if "Entropy" not in name]}):
    without = answer()
json.dump({"all plugins": all_plugins, "without entropy": without}, sys.stdout)
"""


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="Ten playbooks, one round: whether it still works.")
    parser.add_argument("--peer", type=Path, default=Path(tempfile.gettempdir()) / "privacy-peer")
    options = parser.parse_args()
    files, rounds = (10, 1) if options.short else (60, 7)
    texts = [text for path in sorted(PLAYBOOKS.glob("*.yaml"))[:files] for text in texts_of(path)]
    fields = fields_of(texts)
    say_prefilter(texts, rounds)
    say_fields("this library", [quickest(text, min(rounds, 3)) for text in fields])
    say_hostile(rounds)
    secrets = [item for item in SET if not item.kinds or set(item.kinds) & SECRET_KINDS]
    say(f"secrets of the labelled set ({len(secrets)} items, {sum(bool(item.kinds) for item in secrets)} hold one)")
    say_accuracy("this library", secrets, [any(found.refused for found in find(item.text)) for item in secrets])
    answer = ask_peer(options.peer, secrets, fields)
    for name, figures in answer.items():
        say_accuracy(f"detect-secrets, {name}", secrets, figures["flagged"])
        say_fields(f"detect-secrets, {name}", figures["seconds"])


def texts_of(path: Path) -> Iterator[str]:
    """Every text of a playbook; a file that is being edited and cannot be read holds none."""
    try:
        waiting = [yaml.load(path.read_bytes(), Loader=yaml.CSafeLoader)]
    except yaml.YAMLError:
        return
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)


def fields_of(texts: Sequence[str]) -> list[str]:
    """Fields of 2 KB as they are sent: playbook text, each with an item of the labelled set in its midst."""
    long = " ".join(texts)
    step = max(1, (len(long) - 2048) // 1000)
    pieces = [long[start : start + 2048] for start in range(0, len(long) - 2048, step)]
    items = [SET[number % len(SET)].text for number in range(len(pieces))]
    return [(piece[:1000] + " " + item + " " + piece[1000:])[:2048] for piece, item in zip(pieces, items, strict=True)]


def quickest(text: str, rounds: int) -> float:
    """The best of some rounds, in seconds: what the work takes, not what the machine does besides."""
    best = float("inf")
    for _ in range(rounds):
        began = time.perf_counter()
        for _finding in find(text):
            pass
        best = min(best, time.perf_counter() - began)
    return best


def say_prefilter(texts: Sequence[str], rounds: int) -> None:
    """The mean over ordinary text."""
    size = sum(map(len, texts)) / 1024
    best = min(processor_time(texts) for _ in range(rounds))
    say(f"ordinary playbook text, {len(texts):,} texts, {size:.0f} KB: {best * 1e6 / size:.1f} µs/KB (limit 20)")


def processor_time(texts: Sequence[str]) -> float:
    """Seconds of the processor for all texts: the mean of thousands must not measure the machine's other work."""
    began = time.process_time()
    for text in texts:
        for _finding in find(text):
            pass
    return time.process_time() - began


def say_fields(who: str, seconds: Sequence[float]) -> None:
    """Middle and slowest hundredth of fields of 2 KB."""
    ordered = sorted(seconds)
    middle, late = (ordered[int(len(ordered) * share)] * 1000 for share in (0.5, 0.99))
    say(f"{len(ordered):,} fields of 2 KB, {who}: p50 {middle:.3f} ms, p99 {late:.3f} ms (limit 2)")


def say_hostile(rounds: int) -> None:
    """The slowest of the hostile fields of 8 KiB."""
    times = {part: quickest((part * 8192)[:8192], rounds) * 1000 for part in HOSTILE}
    for part in sorted(times, key=lambda part: -times[part])[:5]:
        say(f"  hostile 8 KiB of {part[:24]!r}: {times[part]:.1f} ms")
    say(f"{len(times)} hostile fields of 8 KiB: slowest {max(times.values()):.1f} ms (limit 50)")


def say_accuracy(who: str, items: Sequence[Item], flagged: Sequence[bool]) -> None:
    """Recall and precision of who only says yes or no."""
    right = sum(bool(item.kinds) for item, yes in zip(items, flagged, strict=True) if yes)
    recall = right / sum(bool(item.kinds) for item in items)
    say(f"  {who}: recall {recall:.3f}, precision {right / max(1, sum(flagged)):.3f}")


def ask_peer(folder: Path, items: Sequence[Item], fields: Sequence[str]) -> dict[str, Answer]:
    """The same texts through detect-secrets in a process of its own; nothing where it cannot be installed."""
    python = folder / "bin" / "python"
    asked = json.dumps({"items": [item.text for item in items], "fields": list(fields[::10])})
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
            subprocess.run([str(python), "-m", "pip", "install", "-q", "detect-secrets"], check=True)
        done = subprocess.run([str(python), "-c", PEER], input=asked, check=True, capture_output=True, text=True)
    except (OSError, subprocess.CalledProcessError) as error:
        say(f"detect-secrets is not available here ({type(error).__name__}); nothing was compared with it")
        return {}
    answer: dict[str, Answer] = json.loads(done.stdout)
    return answer


def say(line: str) -> None:
    """Print a line of the result."""
    print(line)


if __name__ == "__main__":
    main()
