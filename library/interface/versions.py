"""A version of a playbook: found among all of them, compared with another one, and in words. Pure."""

from ..content.changes import Difference, differences, in_words
from ..records.fields import optional
from .answers import DifferenceAnswer, FormerText, PlaybookAnswer, SinceVersion, VersionAnswer, VersionList
from .finding import ASK_FIRST, fenced, line, quoted, under
from .intake import Intake, SentVersion

_MARKS = {"ins": "{{+{}+}}", "del": "[-{}-]"}  # as `git diff --word-diff=plain` writes them


class VersionQuery(Intake):
    """How a version is asked for."""

    since: SentVersion | None = optional("Another version of it: `since` says what this one says otherwise.")


def find_version(
    known: VersionList | None, book: PlaybookAnswer, version: str, since: str | None = None
) -> VersionAnswer | None:
    """A version with its text, compared with `since`; None where one never was, or the playbook is withdrawn."""
    items = {item.version: item for item in known.items} if known else {}
    if book.version in items:
        text = FormerText.model_validate(book)
        items[book.version] = items[book.version].model_copy(update={"text": text})
    found, former = items.get(version), items.get(since or version)
    if not found or not former or not found.text or not former.text:
        return None
    return found.model_copy(update={"since": _compared(former, found.text)}) if since else found


def _compared(former: VersionAnswer, text: FormerText) -> SinceVersion:
    found, told = text_differences(former.text, text), []
    for one in found:
        marked = "".join(_MARKS.get(done, "{}").format(words) for done, words in one.pieces)
        told.append(DifferenceAnswer(field=one.field, name=one.name, done=one.done, text=marked or None))
    return SinceVersion(version=former.version, changed=in_words(found), differences=tuple(told))


def text_differences(old: FormerText | None, new: FormerText | None) -> list[Difference]:
    """What the text of one version says otherwise than another's; nothing where one of them cannot be read."""
    return list(differences(old.model_dump(mode="json"), new.model_dump(mode="json"))) if old and new else []


def words(slug: str, item: VersionAnswer) -> str:
    """A version in words, as markdown, with the head that makes it an instruction file by the Agent Skills rules."""
    if (text := item.text) is None:
        return ""
    steps = [
        f"{number}. **{line(step.title)}** {line(step.detail)} *Check:* {line(step.check)}"
        for number, step in enumerate(text.steps, 1)
    ]
    left = f"as it was left on {item.at:%Y-%m-%d}."
    use = f"{line(text.title)[:500]}: version {item.version}, {left} Use it only where this version is asked for."
    later = [f"- {words}" for words in item.next_version.changed] if item.next_version else []
    other = [
        f"- {one.name}: {one.done}" + (f"\n{fenced(one.text)}" if one.text else "")
        for one in (item.since.differences if item.since else ())
    ]
    parts = [
        f'---\nname: "{slug}"\ndescription: {quoted(use)}\nmetadata:\n  version: "{item.version}"\n---',
        f"# {line(text.title)}\n`{slug}`, version {item.version}, {left} {ASK_FIRST}",
        under(f"## What it says otherwise than {item.since.version}" if item.since else "", other),
        f"## Prompt\n{fenced(text.prompt)}",
        *(f"## Prompt for {one.agent}\n{fenced(one.prompt)}" for one in text.variants),
        under("## Steps", steps),
        under("## Where to stop", [f"- {line(stop)}" for stop in text.human_checkpoints]),
        under(f"## What the next version changed, {item.next_version.version}" if item.next_version else "", later),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"
