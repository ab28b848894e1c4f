"""Frozen models of the records in `content/`: what contributors type.

The descriptions are the site's and editors' help.
"""

import hashlib
import re
from collections.abc import Mapping
from typing import Self
from urllib.parse import urlsplit

import orjson
from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from ..problems import Problem, Severity, wrong
from . import vocabulary
from .fields import (
    Aliases,
    Brief,
    CalendarDate,
    Colour,
    Digest,
    Handle,
    Heading,
    Label,
    Line,
    LongText,
    Name,
    Passage,
    ShortText,
    Slug,
    Slugs,
    Text,
    Timestamp,
    Url,
    Version,
    optional,
    several,
)


class Record(BaseModel):
    """What every model here is: unchangeable, and closed to keys that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True, defer_build=True)


class Filed(Record):
    """A record with a file of its own, which it knows."""

    _file: str = PrivateAttr("")

    def filed(self, file: str) -> Self:
        """This record, once it knows that it came from `file` (relative to the content folder)."""
        self._file = file
        return self

    @property
    def file(self) -> str:
        """The file that the record came from, relative to the content folder."""
        return self._file

    @property
    def slug(self) -> str:
        """The record's name: its file's, without the ending."""
        return self.file.rpartition("/")[2].removesuffix(".yaml")

    def wrong(self, field: str, message: str, severity: Severity = Severity.ERROR) -> Problem:
        """A problem with one field of this record, or with one item of it."""
        return wrong(self.file, field, message, severity)


class Step(Record):
    """One step of a playbook."""

    title: Line = Field(description="What is done, as a short command.")
    detail: Text = Field(description="How it is done, so that an expert would nod. Markdown.")
    check: Text = Field(
        description="What can be observed when the step is done, and would be otherwise if it were not."
    )


class PromptInput(Record):
    """One `{{name}}` of the prompt: what stands for it, and where to find that."""

    name: Label = Field(description="Its name, as it stands between the braces.")
    meaning: Line = Field(description="What is put in its place.")
    example: Line = Field(description="A value that could stand there.")
    where: Line = Field(description="Where the reader finds the value.")
    default: Line | None = optional("What is taken where the reader has nothing to say.")
    secret: bool | None = optional("Whether the value must not be pasted, and where it is kept is named in its place.")


class Variant(Record):
    """The prompt for one agent, where agents really differ."""

    agent: Slug = Field(description="The agent's slug.")
    prompt: LongText = Field(description="The whole prompt for this agent.")
    note: Text | None = optional("Why this agent needs words of its own.")


class Need(Record):
    """Something that must be there before the work begins."""

    name: Line = Field(description="What it is called.")
    kind: vocabulary.NeedKind = Field(description="What sort of thing it is.")
    note: Text | None = optional("What it is needed for, or how to get it.")
    url: Url | None = optional("Where to get it or read about it.")


class Failure(Record):
    """A known way for the job to go wrong."""

    problem: Text = Field(description="The symptom, as the reader meets it.")
    fix: Text = Field(description="What mends it.")
    lesson: Slug | None = optional("The slug of the lesson that tells more.")


class Evidence(Record):
    """One public account of the job done with an agent."""

    title: Line = Field(description="The page's own title.")
    url: Url = Field(description="Where the account is.")
    platform: vocabulary.Platform = Field(description="What sort of place it is.")
    agent: Line = Field(description="The agent as the account names it.")
    reported_outcome: Text = Field(
        description="What the account reports, in one sentence of our own; not verified by us."
    )
    author: Line | None = optional("Who tells it, where known.")
    date: CalendarDate | None = optional("The day it was published, where the whole date is known.")
    outcome: vocabulary.Outcome | None = optional("The editor's reading of how it ended. Never counted as a run.")
    account: vocabulary.Account | None = optional("Who tells it: first-hand, vendor or third-party.")
    vendor: Line | None = optional("For a vendor's account: whose it is.")
    origin: Url | None = optional("Where a copy came from.")
    checked: CalendarDate | None = optional("The day the stored or live page was last read.")
    incident: Slug | None = optional("One id for all accounts of one event.")


class MinuteRange(Record):
    """How long the job takes, as numbers that lists sort by."""

    least: int = Field(alias="from", ge=0, le=100_000, description="The least, in minutes.")
    most: int = Field(alias="to", ge=0, le=100_000, description="The most, in minutes.")
    depends_on: Line = Field(description="What makes it more or less.")


class TriedTool(Record):
    """A tool that an account or a trial used, and its version."""

    tool: Line = Field(description="The tool's name.")
    version: Line = Field(description="The version, as it was named.")


class Reference(Record):
    """An official page worth reading."""

    title: Line = Field(description="The page's title.")
    url: Url = Field(description="Where it is.")
    checked: CalendarDate = Field(description="The day the stored or live page was last read.")


class Tested(Record):
    """A test of the playbook by its editors, on the record."""

    date: CalendarDate = Field(description="The day of the test.")
    agent: Slug = Field(description="The agent that was tested.")
    outcome: vocabulary.Outcome = Field(description="How it ended.")
    by: Handle = Field(description="Who tested.")
    version: Version = Field(description="The version of the playbook that was tested.")
    agent_version: Line | None = optional("The agent's version.")
    model: Line | None = optional("The model behind the agent.")
    note: Text | None = optional("What was seen.")
    arm: vocabulary.Arm | None = optional(
        "Of a run on the trial: whether the agent had the playbook, or the job alone."
    )
    trial_digest: Version | None = optional("The digest of the trial.")
    case_digest: Version | None = optional("The digest of its world, its sentence and its grader.")
    tools: tuple[Line, ...] | None = optional("The tools with their versions.")
    duration_minutes: int | None = optional("How long it took, in minutes.", ge=0, le=525_600)
    sandbox: vocabulary.SandboxKind | None = optional("What kept the agent's commands from the rest of the machine.")
    transcript_digest: Digest | None = optional("The SHA-256 of the transcript, which is kept beside the trial.")
    transcript_read: bool | None = optional("Whether the maintainers read the transcript.")
    prompt_digest: Digest | None = optional("The SHA-256 of the prompt.")


class Contributor(Record):
    """Someone who wrote a part of a record."""

    handle: Handle = Field(description="The contributor's handle.")


STEP_NUMBER = re.compile(r"^(?:Before|After|During) step (\d+)\b", re.IGNORECASE)
"""How a human checkpoint names the step that it belongs to."""


class Playbook(Filed):
    """One real job: a prompt, ordered steps, known failures with fixes, and evidence."""

    title: Heading = Field(description="The job as a reader would say it, beginning with a verb.")
    task: Slug = Field(description="The slug of the task that this playbook does.")
    agents: Slugs = Field(min_length=1, description="The slugs of the agents that it applies to.")
    summary: Brief = Field(description="What it does and when to use it, in one or two sentences.")
    essence: ShortText | None = optional("In at most 90 words: what to do, the check and the failure that matter most.")
    outcome: ShortText = Field(description="What the reader ends up with.")
    difficulty: vocabulary.Difficulty = Field(description="What the reader has to know beforehand.")
    time: Line = Field(description="How long it takes, as a range, and what that depends on.")
    minutes: MinuteRange | None = optional("The time as numbers, from accounts or trials only.")
    cost: Line = Field(description="What it costs, as a range, and what that depends on.")
    risk: vocabulary.Risk = Field(description="What can be lost when it goes wrong.")
    risk_note: Text = Field(description="The reason for the risk.")
    human_checkpoints: tuple[Text, ...] = several(
        "Where a person decides. `Before step 4: …` stands before that step.", 20
    )
    prompt: LongText = Field(description="The prompt to paste, 80-250 words, with inputs as {{variables}}.")
    inputs: tuple[PromptInput, ...] = several("What each {{variable}} of the prompts stands for.", 40)
    variants: tuple[Variant, ...] = several("Prompts for single agents, only where agents really differ.", 20)
    needs: tuple[Need, ...] = several("What must be there before the work begins.", 30)
    steps: tuple[Step, ...] = Field(min_length=1, max_length=30, description="The steps in order, each with its check.")
    failures: tuple[Failure, ...] = several("Known failures with their fixes.", 30)
    evidence: tuple[Evidence, ...] = several("Public accounts of the job.", 60)
    references: tuple[Reference, ...] = several("Official pages.", 30)
    tested: tuple[Tested, ...] = several("Tests by editors, and runs on the trial.", 60)
    tried_with: tuple[TriedTool, ...] = several("Tools with their versions, as accounts or trials name them.", 30)
    related: Slugs = Field((), description="Slugs of playbooks that belong beside this one.")
    tags: Slugs = Field((), description="Words from the shared vocabulary of tags.")
    asked: tuple[Line, ...] = several("How people ask for it in words of their own; search finds it by them.", 30)
    updated: CalendarDate = Field(description="The day of the last change of substance.")
    contributors: tuple[Contributor, ...] = several("Who wrote it.", 50)
    status: vocabulary.Status = Field(vocabulary.Status.ACTIVE, description="Whether it is to be followed.")
    status_reason: Text | None = optional("Why it is deprecated or withdrawn.")
    replaced_by: Slug | None = optional("The slug of the playbook to use instead.")
    aliases: Slugs = Field((), description="Former slugs that lead here.")
    no_trial: Line | None = optional("Why its checks are not proven on a prepared case, in a sentence or two.")

    @property
    def checkpoints(self) -> tuple[str, ...]:
        """The human checkpoints; one that names a step has its title too, for prompts have numbers of their own."""
        return tuple(map(self._with_title, self.human_checkpoints))

    def _with_title(self, text: str) -> str:
        match = STEP_NUMBER.match(text)
        if match and 0 < (number := int(match[1])) <= len(self.steps):
            return f"{match[0]} ({self.steps[number - 1].title}){text[match.end() :]}"
        return text


class Source(Record):
    """A page that a lesson rests on."""

    title: Line = Field(description="The page's title.")
    url: Url = Field(description="Where it is.")


class Lesson(Filed):
    """A failure that was met in real work, and what mends it."""

    title: Heading = Field(description="The symptom in a few words.")
    problem: Text = Field(description="What is seen, and why it happens.")
    fix: Text = Field(description="What mends or prevents it.")
    agents: Slugs = Field((), description="The agents where it was met; empty when it is not about one.")
    playbooks: Slugs = Field((), description="The playbooks that it touches.")
    tags: Slugs = Field((), description="Words from the shared vocabulary of tags.")
    updated: CalendarDate = Field(description="The day of the last change of substance.")
    sources: tuple[Source, ...] = several("The accounts that report it.", 20)
    contributors: tuple[Contributor, ...] = several("Who wrote it.", 50)


class Agent(Filed):
    """An agent that accounts and playbooks name."""

    name: Line = Field(description="The name that its makers use.")
    vendor: Line = Field(description="Who makes it.")
    url: Url = Field(description="Its own page.")
    summary: Brief = Field(description="What it is, in one sentence.")
    kind: vocabulary.AgentKind | None = optional("Its main form.")
    source_url: Url | None = optional("The page that the summary was written from.")
    aliases: Aliases = Field((), description="What reports call it besides its name and its slug, in any letters.")


class Task(Filed):
    """A job that people want done; playbooks do it."""

    name: Line = Field(description="The job as a reader would name it.")
    category: Slug = Field(description="The slug of the category that it belongs to.")
    summary: Brief = Field(description="What the job is, in one sentence.")
    wanted: bool = Field(default=False, description="Someone asked for this job and no playbook does it yet.")
    requests: int = Field(0, ge=0, le=1_000_000, description="How many reviewed requests asked for it.")


class Usage(Reference):
    """A public study's figure for how much of what people ask of AI is of one kind."""

    percent: int = Field(ge=0, le=100, description="The share, in percent.")
    of: Line = Field(description="What is that share of what, in words.")


class Category(Record):
    """A grouping of tasks."""

    slug: Slug = Field(description="Its name in addresses and filters.")
    name: Line = Field(description="Its name for readers.")
    summary: Brief = Field(description="What belongs in it.")
    usage: Usage | None = optional("How much people use AI for it, by a public study.")


class Categories(Filed):
    """The file `categories.yaml`."""

    categories: tuple[Category, ...] = Field(
        min_length=1, max_length=100, description="All categories, in the order in which they are shown."
    )


class Synonym(Record):
    """Words that people search with, and the library's own words for the same."""

    words: tuple[Line, ...] = Field(min_length=1, max_length=60, description="Words or phrases in a question.")
    mean: tuple[Line, ...] = Field(min_length=1, max_length=20, description="Words that are looked for as well.")


class Synonyms(Filed):
    """The file `synonyms.yaml`: what searchers call things."""

    synonyms: tuple[Synonym, ...] = Field(max_length=2_000, description="What is said, and what is meant by it.")


class AIModel(Record):
    """A model that agents run on."""

    slug: Slug = Field(description="Its name in statistics.")
    name: Line = Field(description="The name that its makers use.")
    vendor: Line | None = optional("Who makes it.")
    family: Line | None = optional("What it is one of.")
    released: CalendarDate | None = optional("The day it was released, where a page says so.")
    source_url: Url | None = optional("The page that says so.")
    aliases: Aliases = Field((), description="What reports call it besides its name and its slug, in any letters.")


class AIModels(Filed):
    """The file `models.yaml`: models by the names that reports give them."""

    models: tuple[AIModel, ...] = Field(max_length=1_000, description="All models that are known.")


class Run(Filed):
    """A run report that an editor approved; written by publishing only."""

    playbook: Slug = Field(description="The playbook that was run.")
    playbook_version: Version = Field(description="Its version then.")
    agent: Name = Field(description="The agent that ran it.")
    agent_version: Name | None = optional("The agent's version.")
    model: Name | None = optional("The model behind the agent.")
    outcome: vocabulary.Outcome = Field(description="How it ended.")
    what_changed: Passage | None = optional("What had to be done otherwise than written.")
    lesson: Passage | None = optional("What the next one should know.")
    duration_minutes: int | None = optional("How long it took, in minutes.", ge=0, le=525_600)
    reporter: Label | None = optional("Who reports: a contributor's handle, or a label that nobody verified.")
    verified: bool = Field(default=False, description="Whether it was sent with that contributor's key.")
    contributor_since: CalendarDate | None = optional("For a verified report: the day the contributor was created.")
    reported: Timestamp = Field(description="When it was received.")
    status: vocabulary.RunState = Field(vocabulary.RunState.APPROVED, description="`approved`, or `withdrawn` later.")


class Licence(Record):
    """Under what terms the content may be used."""

    name: Line = Field(description="Its name.")
    url: Url = Field(description="Its text.")


class SiteLink(Record):
    """A link at the foot of every page."""

    title: Line = Field(description="Its words.")
    url: Url = Field(description="Where it leads.")


class Site(Filed):
    """The file `site.yaml`: what this library is called and where it lives."""

    title: Line = Field(description="The library's name.")
    tagline: Line = Field(description="What it is, in one line.")
    site_url: Url = Field(description="The address of the home page; a sub-path is fine.")
    api_url: Url | None = optional("Where the write API is, if not at `{site_url}/api/v1`.")
    repository: Url | None = optional("The web address of the git repository, for `edit this page`.")
    branch: Line = Field("main", description="The branch that edits go to.")
    licence: Licence = Field(description="The licence of the content.")
    contact: Url = Field(description="Where to write about corrections and takedowns.")
    accent: Colour | None = optional("The colour of links and buttons on white: `#1f4e9e`. It must be dark.")
    accent_dark: Colour | None = optional("The same on the dark ground: `#9cbdf7`. It must be light.")
    search_language: vocabulary.Language = Field(
        vocabulary.Language.ENGLISH, description="The language whose words the search brings to their stems."
    )
    stop_words: tuple[Line, ...] = several("Words that say nothing in a question here, such as a company's name.", 200)
    links: tuple[SiteLink, ...] = several("Further links at the foot of every page.", 12)
    footer: Text | None = optional("A sentence of your own at the foot of every page. Markdown.")

    @property
    def base_url(self) -> str:
        """The address that all paths of the specification are relative to."""
        return f"{self.site_url.rstrip('/')}/api/v1"

    @property
    def root(self) -> str:
        """The path that the site lives under: empty, or `/sub/path` without a slash at its end."""
        return urlsplit(self.site_url).path.rstrip("/")


def version_of(values: Mapping[str, object]) -> str:
    """The version of a playbook's plain values.

    It is 12 hex digits over the canonical JSON of prompt, variants and steps, each without what is not there.
    """
    told = {"prompt": values.get("prompt"), **{name: values.get(name) or [] for name in ("variants", "steps")}}
    return hashlib.sha256(orjson.dumps(told, option=orjson.OPT_SORT_KEYS)).hexdigest()[:12]
