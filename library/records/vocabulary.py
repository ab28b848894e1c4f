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


class Scope(StrEnum):
    """What a key may be used for; to look at oneself, and at one's keys, takes none."""

    REPORT = "report"
    SUBMIT = "submit"
    REVIEW = "review"


SENDING = (Scope.REPORT, Scope.SUBMIT)  # what a key is for where nothing else was chosen
Arm = StrEnum("Arm", "PLAYBOOK BARE")
Arm.__doc__ = "What an agent is given that runs on a trial."
SandboxKind = StrEnum("SandboxKind", "BUBBLEWRAP CONTAINER NONE")
SandboxKind.__doc__ = "What kept an agent's commands from the rest of the machine."
UNNAMED_AGENT = "unnamed-ai-agent"  # stands for an agent of which nobody knows which one it is
UNLISTED_AGENTS = frozenset({UNNAMED_AGENT, "by-hand"})
"""What a test may name that is no agent of the library: nobody knows which, or a person worked."""
ANY_AGENT = "any-agent"  # the agent record that stands for every one: the job needs nothing that only one agent has
Status = StrEnum("Status", "ACTIVE DEPRECATED WITHDRAWN")
Status.__doc__ = "Whether a playbook is to be followed."
Difficulty = StrEnum("Difficulty", "BEGINNER INTERMEDIATE ADVANCED")
Difficulty.__doc__ = "What the reader has to know beforehand."
Risk = StrEnum("Risk", "LOW MEDIUM HIGH")
Risk.__doc__ = "What can be lost when the job goes wrong."
NeedKind = StrEnum("NeedKind", "DATA APP PERMISSION PLAN ACCOUNT TOOL")
NeedKind.__doc__ = "What sort of thing a prerequisite is."
Platform = StrEnum("Platform", "BLOG FORUM GITHUB VIDEO DOCS PAPER SOCIAL OTHER")
Platform.__doc__ = "Where a public account was found."
Account = StrEnum("Account", {"FIRST_HAND": "first-hand", "VENDOR": "vendor", "THIRD_PARTY": "third-party"})
Account.__doc__ = "Who tells the story of a piece of evidence."
AgentKind = StrEnum("AgentKind", "CLI IDE CLOUD ASSISTANT FRAMEWORK")
AgentKind.__doc__ = "The main form in which an agent is used."
SubmissionKind = StrEnum("SubmissionKind", "USE_CASE LESSON CORRECTION PLAYBOOK")
SubmissionKind.__doc__ = "What a submission asks for."
RunState = StrEnum("RunState", "PENDING APPROVED REJECTED WITHDRAWN")
RunState.__doc__ = "Where a run report stands."
RunStatusWord = StrEnum("RunStatusWord", "PENDING APPROVED PUBLISHED REJECTED WITHDRAWN")
RunStatusWord.__doc__ = (
    "What its sender is told of that: an approved report is published once its file is in the content or the site."
)

SubmissionState = StrEnum("SubmissionState", "QUEUED SCREENED CHANGES_REQUESTED ACCEPTED PUBLISHED REJECTED WITHDRAWN")
SubmissionState.__doc__ = "Where a submission stands."
OutboxState = StrEnum("OutboxState", "WAITING WRITTEN CANCELLED")  # how far a decision is on its way into the content
ResultType = StrEnum("ResultType", "PLAYBOOK LESSON AGENT TASK")
ResultType.__doc__ = "What a search can find."
Decision = StrEnum("Decision", "REJECT REQUEST_CHANGES SEND_BACK WITHDRAW")  # whoever decides so gives a reason
Advice = StrEnum("Advice", "ACCEPT EDITOR REJECT")
Advice.__doc__ = "What a screening advises, mildest first; only the strictest ever acts by itself."
Match = StrEnum("Match", "CLOSE WEAK")
Match.__doc__ = "Whether the best result fits a short question, or only holds some of its words."
Language = StrEnum(
    "Language",
    "DANISH DUTCH ENGLISH FINNISH FRENCH GERMAN HUNGARIAN ITALIAN NORWEGIAN "
    "PORTUGUESE ROMANIAN RUSSIAN SPANISH SWEDISH",
)
Language.__doc__ = "A language whose words search brings to their stems."
Profile = StrEnum("Profile", "BEST FAST")  # the best answer, or the fastest while a question is being typed
