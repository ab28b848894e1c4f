"""What editors type: the fields of forms as the values that decisions take, and as text that can be copied again."""

from itertools import zip_longest

from werkzeug.datastructures import MultiDict

from library.problems import UsageError

from ..decisions.texts import unix

Form = MultiDict[str, str]
_NUMBER_LENGTH = 9


def files_of(form: Form) -> list[tuple[str, str]]:
    """The names and texts of the files in a form, in its order; a place left wholly empty is none.

    A text without a name has an empty one, so that nothing typed is dropped.
    """
    pairs = zip_longest(form.getlist("file"), form.getlist("text"), fillvalue="")
    named = [(name.strip(), unix(text)) for name, text in pairs]
    return [(name, text) for name, text in named if name or text.strip()]


def texts_of(form: Form) -> dict[str, str]:
    """The files of a form by name. Raises `UsageError` where a name is missing or stands twice."""
    texts: dict[str, str] = {}
    for name, text in files_of(form):
        if not name:
            raise UsageError("A file has no name: give it one such as lessons/<slug>.yaml, or empty its text.")
        if name in texts:
            raise UsageError(f"Two files are named {name}: give each a name of its own.")
        texts[name] = text
    return texts


def over_in(form: Form) -> list[str]:
    """The files whose typed text takes the place of the file as the page showed it, though it was made from another."""
    return form.getlist("over")


def bases_of(form: Form) -> dict[str, str]:
    """The digests of the files that the typed texts were made from, by name; new files have none.

    Of a file that the editor compared (`over_in`) it is that of the file as the page showed it.
    """
    names = [name.strip() for name in form.getlist("file")]
    made = dict(zip(names, form.getlist("base"), strict=False))
    now = dict(zip(names, form.getlist("now"), strict=False))
    told = made | {name: now.get(name, "") for name in over_in(form)}
    return {name: base for name, base in told.items() if base}


def number_in(form: Form, name: str) -> int:
    """A whole number that the page itself put in the form. Raises `UsageError`."""
    text = form.get(name, "")
    if not (text.isascii() and text.isdigit() and len(text) <= _NUMBER_LENGTH):
        raise UsageError(f"The form has no number {name}: open the page again.")
    return int(text)


def line_in(form: Form, name: str) -> str:
    """A text without blanks round it."""
    return unix(form.get(name, "")).strip()


def note_in(form: Form, action: str) -> str | None:
    """The note of an action; None when none was typed."""
    return line_in(form, f"{action}-note") or None


def reasons_in(form: Form, action: str) -> list[str]:
    """The reason codes that were ticked for an action, each once."""
    return list(dict.fromkeys(form.getlist(f"{action}-reason")))


def typed_texts(form: Form) -> list[tuple[str, str]]:
    """Everything in a form that somebody wrote, with a name for each, to be copied."""
    written = [(name or "a file without a name", text) for name, text in files_of(form)]
    labels = {"note": "Note", "title": "Title", "problem": "Problem", "fix": "Fix"}
    for field, text in form.items():
        label = labels.get(field.rpartition("-")[2])
        if "-" in field and label and text.strip():
            written.append((label, unix(text)))
    return written
