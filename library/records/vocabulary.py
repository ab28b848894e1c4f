"""Every closed set of words in the library, each with its order: the only enums there are."""

from __future__ import annotations

from enum import StrEnum


class Trust(StrEnum):
    """How far the evidence and the reviewed runs carry a playbook, lowest first."""

    REPORTED = "reported"
    CORROBORATED = "corroborated"
    TESTED = "tested"
    CONFIRMED = "confirmed"

    @property
    def rank(self) -> int:
        """The place in the order, from 0 (`reported`) to 3 (`confirmed`)."""
        return list(Trust).index(self)

    def reaches(self, floor: Trust) -> bool:
        """Whether this level is `floor` or above it."""
        return self.rank >= floor.rank


class Outcome(StrEnum):
    """How a run of a playbook ended."""

    WORKED = "worked"
    WORKED_WITH_CHANGES = "worked_with_changes"
    FAILED = "failed"

    @property
    def good(self) -> bool:
        """Whether the job got done, with or without changes to the playbook."""
        return self is not Outcome.FAILED


class Arm(StrEnum):
    """What an agent is given that runs on a trial."""

    PLAYBOOK = "playbook"
    BARE = "bare"


class SandboxKind(StrEnum):
    """What kept an agent's commands from the rest of the machine."""

    BUBBLEWRAP = "bubblewrap"
    CONTAINER = "container"
    NONE = "none"


UNNAMED_AGENT = "unnamed-ai-agent"
"""Stands for an agent of which nobody knows which one it is."""
UNLISTED_AGENTS = frozenset({UNNAMED_AGENT, "by-hand"})
"""What a test may name that is no agent of the library: nobody knows which, or a person worked."""
ANY_AGENT = "any-agent"
"""The agent record that stands for every one: the job needs nothing that only one agent has."""


class Status(StrEnum):
    """Whether a playbook is to be followed."""

    ACTIVE = "active"
    DEPRECATED = "deprecated"
    WITHDRAWN = "withdrawn"


class Difficulty(StrEnum):
    """What the reader has to know beforehand."""

    BEGINNER = "beginner"
    INTERMEDIATE = "intermediate"
    ADVANCED = "advanced"


class Risk(StrEnum):
    """What can be lost when the job goes wrong."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class NeedKind(StrEnum):
    """What sort of thing a prerequisite is."""

    DATA = "data"
    APP = "app"
    PERMISSION = "permission"
    PLAN = "plan"
    ACCOUNT = "account"
    TOOL = "tool"


class Platform(StrEnum):
    """Where a public account was found."""

    BLOG = "blog"
    FORUM = "forum"
    GITHUB = "github"
    VIDEO = "video"
    DOCS = "docs"
    PAPER = "paper"
    SOCIAL = "social"
    OTHER = "other"


class Account(StrEnum):
    """Who tells the story of a piece of evidence."""

    FIRST_HAND = "first-hand"
    VENDOR = "vendor"
    THIRD_PARTY = "third-party"


class AgentKind(StrEnum):
    """The main form in which an agent is used."""

    CLI = "cli"
    IDE = "ide"
    CLOUD = "cloud"
    ASSISTANT = "assistant"
    FRAMEWORK = "framework"


class SubmissionKind(StrEnum):
    """What a submission asks for."""

    USE_CASE = "use_case"
    LESSON = "lesson"
    CORRECTION = "correction"
    PLAYBOOK = "playbook"


class RunState(StrEnum):
    """Where a run report stands."""

    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class RunStatusWord(StrEnum):
    """What its sender is told of that: an approved report is published once its file is in the content or the site."""

    PENDING = "pending"
    APPROVED = "approved"
    PUBLISHED = "published"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class SubmissionState(StrEnum):
    """Where a submission stands."""

    QUEUED = "queued"
    SCREENED = "screened"
    CHANGES_REQUESTED = "changes_requested"
    ACCEPTED = "accepted"
    PUBLISHED = "published"
    REJECTED = "rejected"
    WITHDRAWN = "withdrawn"


class OutboxState(StrEnum):
    """How far a decision is on its way into the content."""

    WAITING = "waiting"
    WRITTEN = "written"
    CANCELLED = "cancelled"


class ResultType(StrEnum):
    """What a search can find."""

    PLAYBOOK = "playbook"
    LESSON = "lesson"
    AGENT = "agent"
    TASK = "task"


class Decision(StrEnum):
    """What an editor, or the publisher, may decide that needs a reason."""

    REJECT = "reject"
    REQUEST_CHANGES = "request_changes"
    SEND_BACK = "send_back"
    WITHDRAW = "withdraw"


class Advice(StrEnum):
    """What a screening advises, mildest first; only the strictest ever acts by itself."""

    ACCEPT = "accept"
    EDITOR = "editor"
    REJECT = "reject"


class Match(StrEnum):
    """Whether the best result fits a short question, or only holds some of its words."""

    CLOSE = "close"
    WEAK = "weak"


class Profile(StrEnum):
    """How a question is answered: the best answer, or the fastest while it is being typed."""

    BEST = "best"
    FAST = "fast"
