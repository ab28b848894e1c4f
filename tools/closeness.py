"""Fits what tells a close match from a weak one: `python -m tools.closeness`.

Questions of the library are those of `tests/content/wordings.json`; foreign ones the first half of
`tests/content/foreign.txt`. What is said of the fit is said of questions that it has not seen: the second half, and the
short ones of `tests/content/blind.json`. The coefficients go into `library/search/compact.py` by hand.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from build.pipeline import build
from build.settings import BuildSettings
from library.search.compact import COEFFICIENTS, evidence
from library.search.query import Question, SearchEngine

ROOT = Path(__file__).resolve().parents[1]
PLACE = ROOT / "tests/content"
LOST = (0.01, 0.03, 0.05, 0.1)
"""So much of the library's own questions may be called weak."""

KEPT = 0.01
"""So much of the wordings that it was fitted on is called weak."""

Numbers = NDArray[np.float64]


def main() -> None:
    """Fit and tell."""
    foreign = (PLACE / "foreign.txt").read_text(encoding="utf-8").splitlines()
    half = len(foreign) // 2
    with tempfile.TemporaryDirectory() as folder:
        build(BuildSettings(ROOT / "content", Path(folder, "site"), datetime.now(UTC).date(), jobs=1, durable=False))
        engine = SearchEngine(Path(folder, "site").resolve().parent)
        wordings = [one["query"] for one in read("wordings.json")]
        blind = [one["query"] for one in read("blind.json") if one["set"] == "short"]
        ours, others = numbers_of(engine, wordings), numbers_of(engine, foreign[:half])
        seen, unseen = numbers_of(engine, blind), numbers_of(engine, foreign[half:])
    fitted = fit(ours, others)
    fitted[0] -= np.quantile(ours @ fitted, KEPT)
    print("fitted:", ", ".join(f"{value:.2f}" for value in fitted))
    for name, weights in (("fitted", fitted), ("in use", np.array(COEFFICIENTS))):
        print(
            name, f"AUC {auc(seen @ weights, unseen @ weights):.3f} on {len(seen)} and {len(unseen)} unseen questions"
        )
        for share in LOST:
            floor = np.quantile(seen @ weights, share)
            print(f"  at {share:.0%} of ours lost {np.mean(unseen @ weights < floor):.0%} of the foreign are caught")
        print(f"  at 0: {np.mean(seen @ weights <= 0):.0%} lost, {np.mean(unseen @ weights <= 0):.0%} caught")


def read(name: str) -> list[Any]:
    """A set of wordings."""
    found: list[Any] = json.loads((PLACE / name).read_text(encoding="utf-8"))
    return found


def numbers_of(engine: SearchEngine, questions: Iterable[str]) -> Numbers:
    """A row for each question, the constant first; all are 0 where nothing was found."""
    return np.array([[1.0, *_evidence(engine, text)] for text in questions])


def _evidence(engine: SearchEngine, text: str) -> Sequence[float]:
    meaning, _, best = engine.asked(Question(text))
    return evidence(engine.index, meaning.parts[0], meaning.unknown, best[0][0]) if best else (0.0, 0.0, 0.0, 0.0)


def fit(ours: Numbers, others: Numbers, *, rounds: int = 30, ridge: float = 1.0) -> Numbers:
    """Logistic regression by Newton's steps; both sides weigh the same."""
    rows = np.concatenate([ours, others])
    wanted = np.concatenate([np.ones(len(ours)), np.zeros(len(others))])
    share = np.where(wanted > 0, 0.5 / len(ours), 0.5 / len(others)) * len(rows)
    weights = np.zeros(rows.shape[1])
    held = np.diag([0.0, *[ridge] * (rows.shape[1] - 1)])
    for _ in range(rounds):
        likely = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (share * (wanted - likely)) - held @ weights
        curve = (rows * (share * likely * (1 - likely))[:, None]).T @ rows + held
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def auc(ours: Numbers, others: Numbers) -> float:
    """How often one of ours is above a foreign one."""
    return float(np.mean((ours[:, None] > others[None, :]) + 0.5 * (ours[:, None] == others[None, :])))


if __name__ == "__main__":
    main()
