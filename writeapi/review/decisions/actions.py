"""What an editor may do with a report or a submission, as a table: from which states, and in which words.

The pages, the commands and the list of what may be done are made from its rows.
"""

from dataclasses import dataclass

from library.records.vocabulary import Decision, RunState, SubmissionState

_PUBLIC = "It is public: whoever has the id reads it, and ids stand in branch names, pull requests and commits."


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One row. `runs` and `submissions` are the states that it starts from.

    A `decision` needs reasons of its own list. Words: of the `summary` that unfolds its form, where it is not the
    button's, the `hint` below its note, the `notice` on the page when it is done; of its command, `help`, `example` and
    `receipt`.
    """

    name: str
    runs: frozenset[RunState] = frozenset()
    submissions: frozenset[SubmissionState] = frozenset()
    decision: Decision | None = None
    summary: str = ""
    hint: str = ""
    notice: str
    help: str
    example: str
    receipt: str

    @property
    def key(self) -> str:
        """Its name in addresses and as a command."""
        return self.name.replace("_", "-")

    @property
    def button(self) -> str:
        """Its name as a button has it."""
        return self.name.replace("_", " ").capitalize()


ACTIONS: tuple[Action, ...] = (
    Action(
        name="accept",
        submissions=frozenset({SubmissionState.SCREENED}),
        hint=_PUBLIC,
        notice="Accepted: it is on its way.",
        help="Accept a submission as its draft, or as texts of your own; publishing takes it from there.",
        example="accept sub_… --edited lessons/it-hangs.yaml mine.yaml",
        receipt="accepted {}",
    ),
    Action(
        name="approve",
        runs=frozenset({RunState.PENDING}),
        notice="Approved: it is on its way.",
        help="Approve run reports; what fails the checks is told, and the others are approved.",
        example="approve --playbook fix-flaky-tests",
        receipt="approved {}",
    ),
    Action(
        name="reject",
        runs=frozenset({RunState.PENDING}),
        submissions=frozenset({SubmissionState.QUEUED, SubmissionState.SCREENED}),
        decision=Decision.REJECT,
        hint=f"Its sender reads it. {_PUBLIC}",
        notice="Rejected: its sender reads why.",
        help="Reject a report or a submission.",
        example="reject sub_… --reason off-topic",
        receipt="rejected {}",
    ),
    Action(
        name="request_changes",
        submissions=frozenset({SubmissionState.SCREENED}),
        decision=Decision.REQUEST_CHANGES,
        hint=f"Its sender reads it: say what to do. {_PUBLIC}",
        notice="Changes are requested: its sender reads which.",
        help="Ask the sender of a submission for changes.",
        example="request-changes sub_… --reason needs-fix",
        receipt="asked for changes of {}",
    ),
    Action(
        name="edit",
        submissions=frozenset({SubmissionState.SCREENED}),
        notice="The draft is saved.",
        help="Open the draft of a submission in $EDITOR, print its problems and save it; a file left empty is dropped.",
        example="edit sub_…",
        receipt="saved as revision {}",
    ),
    Action(
        name="send_back",
        submissions=frozenset({SubmissionState.ACCEPTED}),
        decision=Decision.SEND_BACK,
        summary="Send back to the editors",
        hint=f"Editors and its sender read it. {_PUBLIC}",
        notice="Sent back: it waits for an editor again.",
        help="Return an accepted submission to the editors; what is not written yet will not be.",
        example="send-back sub_… --reason check-failed",
        receipt="sent {} back",
    ),
    Action(
        name="withdraw",
        runs=frozenset({RunState.APPROVED}),
        decision=Decision.WITHDRAW,
        hint="It stays in its history.",
        notice="Withdrawn.",
        help="Take out an approved report, or a whole playbook, which leaves a tombstone that says why.",
        example="withdraw old-way --reason outdated --note 'Use new-way.'",
        receipt="withdrew {}",
    ),
    Action(
        name="promote",
        runs=frozenset({RunState.PENDING, RunState.APPROVED}),
        summary="Promote: make a lesson or a known failure of it",
        notice="Accepted: it is on its way.",
        help="Make a lesson, or a known failure of its playbook, of what a report teaches; a report that waits is"
        " approved.",
        example="promote run_… --to lesson --title … --problem … --fix …",
        receipt="promoted {}: accepted {}",
    ),
)

BY_NAME = {action.name: action for action in ACTIONS}
OF_DECISION = {action.decision: action for action in ACTIONS if action.decision}
