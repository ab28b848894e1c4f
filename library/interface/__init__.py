"""Every operation of the interface as data: the OpenAPI description, its page and its tests are made from it."""

from __future__ import annotations

from collections.abc import Mapping

from .live import LIVE
from .parts import SAMPLE_AGENT, SAMPLE_LESSON, SAMPLE_PLAYBOOK, Example, Operation, Parameter
from .reads import FILES
from .writes import WRITES

__all__ = [
    "OPERATIONS",
    "SAMPLE_AGENT",
    "SAMPLE_LESSON",
    "SAMPLE_PLAYBOOK",
    "TAGS",
    "Example",
    "Operation",
    "Parameter",
]

OPERATIONS: tuple[Operation, ...] = (*FILES, *LIVE, *WRITES)

TAGS: Mapping[str, str] = {
    "library": "What is in the library, and where.",
    "playbooks": "Jobs with their prompts, steps, known failures and evidence.",
    "lessons": "Failures that were met in real work, and what mends them.",
    "runs": "Reports of how runs of playbooks went.",
    "submissions": "What people and agents send for the library, and where it stands in review.",
    "contributors": "Who sends with a key, and the keys.",
    "service": "Whether the server is well.",
}
"""The groups of operations, in their order, each with what it is about."""
