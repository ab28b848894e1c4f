"""What a run report and a submission can become, and from where: the whole of both machines."""

from __future__ import annotations

from collections.abc import Mapping

Moves = Mapping[str, frozenset[str]]

RUN_MOVES: Moves = {
    "pending": frozenset({"approved", "rejected"}),
    "approved": frozenset({"withdrawn"}),
}
SUBMISSION_MOVES: Moves = {
    "queued": frozenset({"screened", "rejected", "withdrawn"}),
    "screened": frozenset({"accepted", "rejected", "changes_requested", "withdrawn"}),
    "changes_requested": frozenset({"queued", "withdrawn"}),
    "accepted": frozenset({"published", "screened", "withdrawn"}),
}
FIRST_OF_RUNS = "pending"
FIRST_OF_SUBMISSIONS = "queued"
OPEN_RUNS = frozenset({"pending"})
OPEN_SUBMISSIONS = frozenset({"queued", "screened"})
"""What waits for the review agent or an editor."""
