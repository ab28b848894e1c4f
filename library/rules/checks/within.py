"""Rules within one record: what can be said of a file without looking at any other, its prompts' inputs too."""

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import msgspec.yaml

from library.problems import Problem, Severity, did_you_mean
from library.records.fields import values_of
from library.records.models import STEP_NUMBER, Agent, Categories, Filed, Lesson, Playbook, Run, Site, Task
from library.records.validating import private_matter
from library.records.vocabulary import ANY_AGENT, Account, Risk, RunState, Status

from .. import markdown

VARIABLE = re.compile(r"\{\{([^{}]*)\}\}")  # an input of a prompt
_VARIABLE_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_SINGLE = re.compile(r"(?<![{$\\\w%])\{([a-z][a-z0-9_]{0,39})\}+")
"""An input in a single brace; one of a shell, a template or a format has a sign or a word before it."""
_CODE = re.compile(r"(?<!`)(`++).*?(?<!`)\1(?!`)", re.DOTALL)  # whole runs, or the time grows by the square
_READABLE = 4.5  # the least contrast of text that WCAG 2 calls readable (level AA)
ESSENCE_WORDS = 90
PROMPT_WORDS = (80, 250)
_WORDS = msgspec.yaml.decode(Path(__file__).parent.with_name("words.yaml").read_bytes())
_HOLLOW = re.compile(rf"\b(?:{'|'.join(_WORDS['hollow'])})\b", re.IGNORECASE)
_OBSERVABLE = re.compile(rf"`|\d|\b(?:{'|'.join(_WORDS['observable'].split())})\b", re.IGNORECASE)
"""What a check may rest on: code, a number, a comparison, a thing that is there or is not."""


class CheckedRecord:
    """A record as the rules look at it: its texts and dates with their places, and what markdown makes of the texts.

    Texts of run reports are shown as they were written, never as markdown.
    """

    def __init__(self, record: Filed, today: date) -> None:
        self.record = record
        self.today = today
        values = list(values_of(record))
        self.texts = [(pointer, value) for pointer, value in values if isinstance(value, str)]
        self.dates = [(pointer, value) for pointer, value in values if isinstance(value, date)]
        self.read = [(at, markdown.read(text)) for at, text in self.texts if not isinstance(record, Run)]


def no_private_matter(told: CheckedRecord) -> Iterator[Problem]:
    """No text holds a secret or private data: keys, tokens, e-mail addresses, phone, card or account numbers."""
    return private_matter(told.texts, told.record.file)


def dates_are_past(told: CheckedRecord) -> Iterator[Problem]:
    """No date lies in the future, but the end of an excuse."""
    for pointer, value in told.dates:
        day = value.astimezone(UTC).date() if isinstance(value, datetime) else value
        if day > told.today and pointer[-1] != "until":
            message = f"{day} is in the future (today is {told.today}); write the day it happened"
            yield Problem(told.record.file, pointer, "", message)


def links_are_http(told: CheckedRecord) -> Iterator[Problem]:
    """A link in a text, outside code and run reports, leads to a whole http(s) address."""
    for pointer, read in told.read:
        for target in read.bad_links:
            mend = "write one such as https://example.com/page"
            message = f"the link to {target[:60]!r} is no whole http(s) address; {mend}"
            yield Problem(told.record.file, pointer, "", message)


def no_remote_images(told: CheckedRecord) -> Iterator[Problem]:
    """No text, outside code and run reports, holds a markdown image; pages load nothing from elsewhere."""
    for pointer, read in told.read:
        if read.images:
            yield Problem(told.record.file, pointer, "", "holds an image; link to it instead")


def texts_stay_in_their_place(told: CheckedRecord) -> Iterator[Problem]:
    """A text has no heading, HTML, link definition or unclosed fence outside code; titles and prompts may."""
    for pointer, read in told.read if isinstance(told.record, Playbook | Lesson | Task | Agent) else ():
        if pointer[-1] in ("prompt", "title"):
            continue  # both are shown letter by letter, never as markdown
        for what in read.beyond:
            message = f"holds {what}; put it into code (`…`), close it, or take it out"
            yield Problem(told.record.file, pointer, "", message)


def site_address_is_plain(site: Site) -> Iterator[Problem]:
    """The site's address has no query and no fragment."""
    if {"?", "#"} & {*site.site_url}:
        yield site.wrong("site_url", "has a query or a fragment; write the plain address of the home page")


def accents_can_be_read(site: Site) -> Iterator[Problem]:
    """The site's accent is read as text: its contrast is at least 4.5 on white, and that of `accent_dark` on dark."""
    for field, ground, mend in (("accent", "#ffffff", "darker"), ("accent_dark", "#16181c", "lighter")):
        if colour := getattr(site, field):
            dark, light = sorted((_luminance(colour), _luminance(ground)))
            contrast = (light + 0.05) / (dark + 0.05)
            if contrast < _READABLE:
                message = f"has a contrast of {contrast:.1f} to {ground}, under {_READABLE}; take a {mend} one"
                yield site.wrong(field, message)
    if (site.accent is None) != (site.accent_dark is None):
        missing = "accent" if site.accent is None else "accent_dark"
        yield site.wrong("", f"has one accent alone; write {missing} too, for readers with the other colour scheme")


def _luminance(colour: str) -> float:
    parts = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def categories_differ(record: Categories) -> Iterator[Problem]:
    """No two categories have the same slug or the same name."""
    for field in ("slug", "name"):
        for index, text in _again([getattr(category, field).casefold() for category in record.categories]):
            message = f"there is a category with the {field} {text!r} already"
            yield record.wrong(f"categories.{index}.{field}", message)


def _again(texts: Sequence[str]) -> Iterator[tuple[int, str]]:
    """The texts that stand further up too, with their places."""
    return ((index, text) for index, text in enumerate(texts) if text in texts[:index])


def checks_say_something_new(book: Playbook) -> Iterator[Problem]:
    """A step's check is not its title or its detail again."""
    for index, step in enumerate(book.steps):
        if step.check.strip().casefold() in (step.title.strip().casefold(), step.detail.strip().casefold()):
            yield book.wrong(f"steps.{index}.check", "says the step again; say what can be observed when it is done")


def steps_have_different_titles(book: Playbook) -> Iterator[Problem]:
    """No two steps have the same title."""
    for index, _ in _again([step.title.casefold() for step in book.steps]):
        yield book.wrong(f"steps.{index}.title", f"there is a step called {book.steps[index].title!r} already")


def variables_are_named(book: Playbook) -> Iterator[Problem]:
    """A variable in a prompt is written {{snake_case}} in two braces, and every `{{` is closed."""
    for field, prompt in prompts_of(book).items():
        if single := _SINGLE.findall(_CODE.sub("", prompt)):
            names = ", ".join(f"{{{{{name}}}}}" for name in dict.fromkeys(single))
            message = f"an input stands in a single brace; write {names}"
            doubled = None if _CODE.search(prompt) else _SINGLE.sub(r"{{\1}}", prompt)  # code may hold such braces too
            yield book.wrong(field, message, severity=Severity.WARNING).mended("write", doubled)
        for name in VARIABLE.findall(prompt):
            if not _VARIABLE_NAME.fullmatch(name):
                near = "_".join(re.findall("[a-z0-9]+", name.lower()))
                fine = _VARIABLE_NAME.fullmatch(near) is not None
                such = f"write {{{{{near}}}}}" if fine else "such as {{repository}}"
                message = f"the variable {name.strip()[:40]!r} must be a lower-case name; {such}"
                mended = prompt.replace(f"{{{{{name}}}}}", f"{{{{{near}}}}}") if fine else None
                yield book.wrong(field, message).mended("write", mended)
        if "{{" in VARIABLE.sub("", prompt):
            yield book.wrong(field, "a `{{` is not closed by `}}`; write variables as {{name}}")


def prompts_of(book: Playbook) -> dict[str, str]:
    """Its prompt and those of its variants, by their fields."""
    others = {f"variants.{index}.prompt": variant.prompt for index, variant in enumerate(book.variants)}
    return {"prompt": book.prompt, **others}


def inputs_of(book: Playbook) -> tuple[str, ...]:
    """The variables of all its prompts, each once, in the order of their first use."""
    return variables_in(*prompts_of(book).values())


def variables_in(*prompts: str) -> tuple[str, ...]:
    """The variables of these prompts, each once, in the order of their first use."""
    return tuple(dict.fromkeys(name for text in prompts for name in VARIABLE.findall(text)))


def inputs_stand_in_a_prompt(book: Playbook) -> Iterator[Problem]:
    """Each of `inputs` is a {{variable}} of a prompt, and is explained once."""
    used = inputs_of(book)
    names = [item.name for item in book.inputs]
    for index, name in enumerate(names):
        if name not in used:
            end = did_you_mean(name, used, "; remove it")
            yield book.wrong(f"inputs.{index}.name", f"no prompt has {{{{{name}}}}}{end}")
    for index, name in _again(names):
        yield book.wrong(f"inputs.{index}.name", f"{name!r} is explained already; keep one")


def essences_are_short(book: Playbook) -> Iterator[Problem]:
    """An essence has at most 90 words."""
    if (words := len((book.essence or "").split())) > ESSENCE_WORDS:
        yield book.wrong("essence", f"has {words} words, {words - ESSENCE_WORDS} too many; keep what decides")


def minutes_go_up(book: Playbook) -> Iterator[Problem]:
    """The range of minutes goes from the least to the most."""
    if book.minutes and book.minutes.least > book.minutes.most:
        yield book.wrong("minutes", f"goes from {book.minutes.least} to {book.minutes.most}; write the smaller first")


def checkpoints_name_real_steps(book: Playbook) -> Iterator[Problem]:
    """A human checkpoint that begins `Before step N` names a step that exists."""
    for index, checkpoint in enumerate(book.human_checkpoints):
        number = STEP_NUMBER.match(checkpoint)
        if number and not 1 <= int(number[1]) <= len(book.steps):
            message = f"there is no step {number[1]}; write a number from 1 to {len(book.steps)}"
            yield book.wrong(f"human_checkpoints.{index}", message)


def risk_has_checkpoints(book: Playbook) -> Iterator[Problem]:
    """A playbook of high risk has at least one human checkpoint."""
    if book.risk is Risk.HIGH and not book.human_checkpoints:
        yield book.wrong("risk", "is high, and there are no human_checkpoints; say where a person decides")


def variants_apply(book: Playbook) -> Iterator[Problem]:
    """A variant is for one of the playbook's agents, or `any-agent` is; one an agent; no main prompt again."""
    seen: set[str] = set()
    for index, variant in enumerate(book.variants):
        if not {variant.agent, ANY_AGENT} & {*book.agents}:
            message = f"{variant.agent!r} is not among the playbook's agents; add it there, or `{ANY_AGENT}`"
            yield book.wrong(f"variants.{index}.agent", message)
        if variant.agent in seen:
            yield book.wrong(f"variants.{index}.agent", f"there is a variant for {variant.agent!r} already; keep one")
        if variant.prompt.strip() == book.prompt.strip():
            yield book.wrong(f"variants.{index}.prompt", "is the main prompt again; remove the variant")
        seen.add(variant.agent)


def vendors_are_named(book: Playbook) -> Iterator[Problem]:
    """A vendor's account says whose it is, because all accounts of one vendor count once."""
    for index, item in enumerate(book.evidence):
        if item.account is Account.VENDOR and not item.vendor:
            yield book.wrong(f"evidence.{index}", "is a vendor's account; add `vendor: <name>`")
        if item.vendor and item.account is not Account.VENDOR:
            yield book.wrong(f"evidence.{index}.vendor", "is named, but `account` is not vendor; correct one of them")


def addresses_stand_once(book: Playbook) -> Iterator[Problem]:
    """No address stands twice in evidence, nor twice in references."""
    for name in ("evidence", "references"):
        for index, _ in _again([item.url for item in getattr(book, name)]):
            yield book.wrong(f"{name}.{index}.url", "stands in this list already; keep one")


def status_is_explained(book: Playbook) -> Iterator[Problem]:
    """A deprecated or withdrawn playbook says why; only such a one is replaced by another."""
    if book.status is not Status.ACTIVE and not book.status_reason:
        yield book.wrong("status", f"is {book.status}; add `status_reason`")
    if book.status is Status.ACTIVE and book.replaced_by:
        yield book.wrong("replaced_by", "is set, but the status is active; set `status: deprecated` or remove it")


def runs_on_trials_say_of_which(book: Playbook) -> Iterator[Problem]:
    """A run on the trial says its arm and the trial's digest, both; a test that was none says neither."""
    for index, test in enumerate(book.tested):
        if (test.arm is None) != (test.trial_digest is None):
            yield book.wrong(f"tested.{index}", "has one of `arm` and `trial_digest`; write both, or neither")


def names_others(book: Playbook) -> Iterator[Problem]:
    """A playbook does not name itself as related, as its replacement or as an alias."""
    for field in ("related", "aliases"):
        if book.slug in (named := getattr(book, field)):
            place = f"{field}.{named.index(book.slug)}"
            yield book.wrong(place, "names this very playbook; remove it").mended("remove")
    if book.replaced_by == book.slug:
        yield book.wrong("replaced_by", "names this very playbook; remove it").mended("remove")


def runs_lie_with_their_playbook(run: Run) -> Iterator[Problem]:
    """A run report lies in the folder of the playbook that it names."""
    folder = run.file.split("/")[1]
    if folder != run.playbook:
        yield run.wrong("playbook", f"is {run.playbook!r}, but the file lies in runs/{folder}/; move it")


def verified_runs_have_a_reporter(run: Run) -> Iterator[Problem]:
    """A verified report names its reporter and the day the reporter was created, which is not after the report."""
    if run.verified and not (run.reporter and run.contributor_since):
        yield run.wrong("verified", "is true; add `reporter` and `contributor_since`")
    if run.contributor_since and run.contributor_since > run.reported.astimezone(UTC).date():
        yield run.wrong("contributor_since", "is after the report itself")


def runs_in_content_were_approved(run: Run) -> Iterator[Problem]:
    """A report in the content is approved, or withdrawn after it was."""
    if run.status not in (RunState.APPROVED, RunState.WITHDRAWN):
        yield run.wrong("status", f"is {run.status}; only approved and withdrawn reports are content")


def prompts_have_a_good_length(book: Playbook) -> Iterator[Problem]:
    """A prompt, and each variant's, has 80 to 250 words."""
    low, high = PROMPT_WORDS
    few = "say what to read first, what to do, when to stop and ask, what to hand back and how to verify it"
    for field, prompt in prompts_of(book).items():
        if not low <= (words := len(prompt.split())) <= high:
            end = f"under {low}; {few}" if words < low else f"over {high}; move what a step says already into the step"
            yield book.wrong(field, f"has {words} words, {end}", severity=Severity.WARNING)


def checks_are_not_hollow(book: Playbook) -> Iterator[Problem]:
    """A check does not rest on words such as "ensure", "make sure", "properly" or "as expected"."""
    for index, step in enumerate(book.steps):
        if found := _HOLLOW.search(step.check):
            mend = "say what is seen when the step is done and would be otherwise if it were not"
            yield book.wrong(f"steps.{index}.check", f"rests on {found[0]!r}; {mend}", severity=Severity.WARNING)


def checks_can_be_observed(book: Playbook) -> Iterator[Problem]:
    """A check names something to observe: a command, a number, a comparison, something that is or is not there."""
    for index, step in enumerate(book.steps):
        if not _OBSERVABLE.search(step.check):
            mend = "name a command and its output, a count, a comparison or an artefact"
            yield book.wrong(f"steps.{index}.check", f"names nothing to observe; {mend}", severity=Severity.WARNING)
