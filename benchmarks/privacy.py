"""How well and how quickly private data is found, beside detect-secrets on the same texts in the same run.

`python -m benchmarks.privacy [--short]`
"""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from benchmarks.harness import ROOT, NotMeasured, installed, options, quantile, table, timed, verdict
from library.rules.privacy import find
from tests.library.privacy_set import HOSTILE, SECRET_KINDS, SET

PEER = "detect-secrets==1.5.0"
PROGRAM = r"""
import json, sys, time
from detect_secrets.core.scan import scan_line
from detect_secrets.settings import default_settings, transient_settings
from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
asked = json.load(sys.stdin)
names = [plugin.__name__ for plugin in get_mapping_from_secret_type_to_class().values()]
def found(text):
    return any(True for line in text.splitlines() for _ in scan_line(line))
def answer():
    flagged = [found(text) for text in asked["items"]]
    seconds = []
    for text in asked["fields"]:
        began = time.perf_counter(); found(text); seconds.append(time.perf_counter() - began)
    return [flagged, seconds]
with default_settings():
    all_plugins = answer()
with transient_settings({"plugins_used": [{"name": name} for name in names if "Entropy" not in name]}):
    without = answer()
json.dump({"all plugins": all_plugins, "without entropy": without}, sys.stdout)
"""


def main() -> None:
    """Measure and print."""
    asked = options(__doc__, short={"files": 10, "rounds": 1}, files=60, rounds=7)
    files = sorted((ROOT / "content/playbooks").glob("*.yaml"))[: asked.files]
    texts = [text for path in files for text in texts_of(yaml.load(path.read_bytes(), yaml.CSafeLoader))]
    size = sum(map(len, texts)) / 1024
    each = min(processor_time(texts) for _ in range(asked.rounds)) * 1e6 / size
    verdict(
        f"ordinary playbook text, {len(texts):,} texts, {size:.0f} KB: {each:.1f} µs/KB, at most 20", met=each <= 20
    )
    slowest = max(quickest((part * 8192)[:8192], asked.rounds) for part in HOSTILE) * 1000
    verdict(f"slowest of {len(HOSTILE)} hostile fields of 8 KiB: {slowest:.1f} ms, at most 50", met=slowest <= 50)

    fields = fields_of(texts)
    secrets = [item for item in SET if not item.kinds or set(item.kinds) & SECRET_KINDS]
    flagged = [any(finding.refused for finding in find(item.text)) for item in secrets]
    rows = {"this library": (flagged, [quickest(text, min(asked.rounds, 3)) for text in fields])}
    try:
        rows |= ask_peer({"items": [item.text for item in secrets], "fields": fields[::10]})
    except NotMeasured as reason:
        print(f"nothing was compared: {reason}")
    hold = [bool(item.kinds) for item in secrets]
    table(
        [f"{len(secrets)} texts, {sum(hold)} with a secret; fields of 2 KB", "recall", "precision", "p50 ms", "p99 ms"],
        (
            [name, right / sum(hold), right / max(1, sum(said)), *(quantile(seconds, at) * 1000 for at in (0.5, 0.99))]
            for name, (said, seconds) in rows.items()
            for right in [sum(one and other for one, other in zip(said, hold, strict=True))]
        ),
    )
    p99 = quantile(rows["this library"][1], 0.99) * 1000
    verdict(f"p99 of {len(fields):,} fields of 2 KB: {p99:.2f} ms, at most 2", met=p99 <= 2)


def texts_of(value: object) -> Iterator[str]:
    """Every text of a record."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from texts_of(item)


def fields_of(texts: Sequence[str]) -> list[str]:
    """Fields of 2 KB as they are sent: playbook text, each with an item of the labelled set in its midst."""
    long = " ".join(texts)
    step = max(1, (len(long) - 2048) // 1000)
    pieces = [long[start : start + 2048] for start in range(0, len(long) - 2048, step)]
    return [f"{text[:1000]} {SET[at % len(SET)].text} {text[1000:]}"[:2048] for at, text in enumerate(pieces)]


def quickest(text: str, rounds: int) -> float:
    """The best of some rounds, in seconds: what the work takes, not what the machine does besides."""
    return min(timed(lambda: list(find(text))) for _ in range(rounds))


def processor_time(texts: Sequence[str]) -> float:
    """Seconds of the processor for all texts: the mean of thousands must not measure the machine's other work."""
    began = time.process_time()
    for text in texts:
        list(find(text))
    return time.process_time() - began


def ask_peer(asked: dict[str, Any]) -> dict[str, tuple[list[bool], list[float]]]:
    """The same texts through detect-secrets in a process of its own: what it flagged, and its seconds."""
    command = [str(installed(PEER) / "bin/python"), "-c", PROGRAM]
    done = subprocess.run(command, input=json.dumps(asked), check=True, capture_output=True, text=True)
    return {f"{PEER}, {name}": (found[0], found[1]) for name, found in json.loads(done.stdout).items()}


if __name__ == "__main__":
    main()
