"""Models of what lies beside a playbook: `trial.yaml`, a small prepared case; its proof; scripts that users get."""

from collections.abc import Mapping
from typing import Annotated, Literal, Self

from pydantic import Field, PrivateAttr, model_validator
from pydantic_core import PydanticCustomError

from .fields import Brief, CalendarDate, Label, Line, ShortText, Slug, Text, Version, optional, several
from .models import Filed, Record

WORLD = "world"  # the state that no script has touched
CANARY = "playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training"
"""Stands in every grader, solution and cheat, so that a model that was trained on them can be told."""
_StepNumber = Annotated[str, Field(pattern="^[1-9][0-9]?$")]


class Binding(Record):
    """What stands behind one code span of the steps: exactly one of `run`, `file`, `word` and `excused`."""

    run: Label | None = optional("The state in which the command runs: `world`, or the name of a solution or cheat.")
    shim: Brief | None = Field(
        default=None, alias="as", description="How it is run here, `{}` being the command itself: `{} --porcelain`."
    )
    prints: str | None = optional("A text that the output holds; empty when nothing may be printed.")
    exits: int | None = optional("The exit code, if not 0.", ge=0, le=255)
    file: str | None = optional("The span is a file or folder of the state, and this a text in it; empty: it is there.")
    word: Brief | None = optional("The span is a word that this command prints.")
    state: Label | None = optional("For `file` and `word`: the state that is looked at, if not `world`.")
    excused: Line | None = optional("Why it is not tried.")
    until: CalendarDate | None = optional("The day on which the excuse ends.")

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kinds = [name for name in ("run", "file", "word", "excused") if getattr(self, name) is not None]
        if len(kinds) != 1:
            raise PydanticCustomError("binding", "must say one of run, file, word and excused; write exactly one")
        if (self.excused is None) != (self.until is None):
            raise PydanticCustomError("binding", "an excuse has a day on which it ends: write `excused` and `until`")
        if self.run is None and (self.shim is not None or self.prints is not None or self.exits is not None):
            raise PydanticCustomError("binding", "`as`, `prints` and `exits` belong to `run`; remove them")
        return self

    @property
    def where(self) -> str:
        """The state that it is tried in."""
        return self.run or self.state or WORLD


class TrialNeeds(Record):
    """What is installed before the network goes away."""

    pypi: Label | None = optional("A file of the trial that pins every package: `requirements.lock`.")
    npm: Label | None = optional("The trial's `package-lock.json`; `package.json` lies beside it.")
    debian: tuple[Label, ...] = several("Debian packages that must be installed.", 30)


class FirstSight(Record):
    """How the checks did on cheats that their author had not seen: the honest figure."""

    date: CalendarDate = Field(description="The day on which they were tried.")
    cheats: int = Field(ge=1, le=99, description="How many there were.")
    caught: int = Field(ge=0, le=99, description="How many were caught before anything was mended.")


class TrialSpec(Filed):
    """One prepared case: a world, solutions and cheats as scripts, and what the playbook's code spans stand for."""

    playbook: Slug = Field(description="The playbook that is tried; the folder has its name.")
    sentence: ShortText = Field(description="The job in the words of somebody without the playbook: the bare arm.")
    done: ShortText = Field(description="What counts as done. Both arms are told the same.")
    needs: TrialNeeds = Field(TrialNeeds(), description="What is installed before the network goes away.")
    limit: int = Field(1800, ge=1, le=14_400, description="How many seconds an agent has.")
    command_limit: int = Field(300, ge=1, le=3_600, description="How many seconds each command of a proof has.")
    fill: Mapping[str, Brief] = Field({}, description="The playbook's {{inputs}} and <placeholders>, filled in.")
    tools: Mapping[str, Brief] = Field({}, description="Tools with the commands that print their versions.")
    spans: Mapping[str, Binding] = Field(
        {}, description="Each code span of the steps, letter by letter, and its binding."
    )
    checks: Mapping[_StepNumber, Text] = Field(
        min_length=1, description="For each step that is checked, the command that must pass on solutions alone."
    )
    first_sight: FirstSight | None = optional("How the checks did on cheats written by somebody else.")
    _digest: str = PrivateAttr("")
    _case_digest: str = PrivateAttr("")

    def digested(self, digest: str, case_digest: str) -> Self:
        """This trial, once it knows the digests of its files."""
        self._digest, self._case_digest = digest, case_digest
        return self

    @property
    def digest(self) -> str:
        """Twelve digits over all files of the trial and the shipped scripts; empty where nobody looked at them."""
        return self._digest

    @property
    def case_digest(self) -> str:
        """Twelve digits over what the bare arm is given and judged by; empty where nobody looked at it."""
        return self._case_digest

    @property
    def slug(self) -> str:
        """The name of the trial's folder."""
        return self.file.split("/")[1]

    def filled(self, text: str) -> str:
        """A command with the playbook's inputs and placeholders filled in."""
        for name, value in sorted(self.fill.items(), key=lambda pair: -len(pair[0])):
            text = text.replace(name if name.startswith("<") else f"{{{{{name}}}}}", value)
        return text


class ProofExcuse(Record):
    """Why a command was not tried, and until when that holds."""

    why: Line
    until: CalendarDate


class ProofState(Record):
    """How the checks and the grader judged one state of the world."""

    kind: Literal["world", "solution", "cheat"]
    checks: Mapping[_StepNumber, Literal["passes", "fails"]]
    grader: Literal["worked", "failed"]

    @property
    def caught(self) -> bool:
        """Whether some check failed, and the grader too."""
        return self.grader == "failed" and "fails" in self.checks.values()


class ProofRecord(Filed):
    """`proven.json` as `playbooks trial prove` writes it: what was proven, of which version, on which day."""

    date: CalendarDate
    playbook: Slug
    playbook_version: Version
    trial_digest: Version
    tools: Mapping[str, Line]
    sandbox: Line
    cheats: Annotated[int, Field(ge=1, strict=True)]
    caught: Annotated[int, Field(ge=0, strict=True)]
    commands: Annotated[int, Field(ge=0, strict=True)]
    checks: Annotated[Mapping[_StepNumber, Text], Field(min_length=1)]
    states: Mapping[Label, ProofState]
    excuses: Mapping[str, ProofExcuse]
    shims: Mapping[str, Brief]

    @model_validator(mode="after")
    def _counts_are_those_of_the_states(self) -> Self:
        cheats = [state for state in self.states.values() if state.kind == "cheat"]
        if (len(cheats), sum(state.caught for state in cheats)) != (self.cheats, self.caught):
            message = "counts other cheats than its states hold; `playbooks trial prove` writes it anew"
            raise PydanticCustomError("proof", message)
        return self

    @property
    def slug(self) -> str:
        """The playbook's, which the folder has too."""
        return self.file.split("/")[1]

    @property
    def solutions(self) -> int:
        """How many good solutions passed every check."""
        return sum(state.kind == "solution" for state in self.states.values())


class SkillScript(Filed):
    """A script that travels with a playbook's skill, as it stands in `skills/<playbook>/scripts/`."""

    text: str

    @property
    def slug(self) -> str:
        """The playbook's slug and the script's name: `fix-flaky-tests/check-6.py`."""
        return f"{self.playbook}/{self.name}"

    @property
    def playbook(self) -> str:
        """The playbook that it belongs to."""
        return self.file.split("/")[1]

    @property
    def name(self) -> str:
        """Its name without folders."""
        return self.file.rpartition("/")[2]

    @property
    def path(self) -> str:
        """Where it lies beside the instruction file, as steps name it."""
        return f"scripts/{self.name}"
