"""Step 8: the note says of each secret what its provider says now, and says revoked, rotated or safe nowhere else.

    check-8.py incident.md [keys.md ...] --value old.txt --refusal 'ask.sh {}' [--refused 401] [--since 2026-11-20T23:10]

--refusal prints the provider's answer to the value in a file, and gets its path for {}. In the first file a line for each
value has its fingerprint (the first 12 characters of its SHA-256), its state, that answer, and the time (UTC) at which it was got:
after --since, when whoever revoked said so, and not in the future.
In all files a line with revoked, rotated, invalidated or safe must have the fingerprint of a value that is refused now, the
answer, and a time; "not revoked" may stand anywhere.
"""

import argparse
import datetime
import pathlib
import re
import subprocess

from leak import fingerprint, forms, said, value_of

CLAIM = r"(?i)(?<!not )(?<!never )\b(revoked|rotated|invalidated|safe)\b"
TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d"


def timed(line, since):
    """Whether a line has a time at which somebody could have asked."""
    now = f"{datetime.datetime.now(datetime.UTC):%Y-%m-%dT%H:%M}"
    return any(since < time.replace(" ", "T") <= now for time in re.findall(TIME, line))


def problems(told):
    answers, lines = {}, {}
    for path in told.notes:
        if not pathlib.Path(path).is_file():
            yield f"there is no {path}"
            return
        lines[path] = pathlib.Path(path).read_text(errors="replace").splitlines()
    for path in told.value:
        asked = subprocess.run(told.refusal.replace("{}", path), shell=True, capture_output=True, text=True, timeout=120).stdout.strip()
        answers[fingerprint(value_of(path))] = asked
        if not asked:
            yield f"{path}: the refusal test prints nothing"
        if any(form.decode(errors="replace") in line for form in forms(value_of(path)) for some in lines.values() for line in some):
            yield f"{fingerprint(value_of(path))}: a note repeats the value"
    for name, answer in answers.items():
        state = "revoked" if answer in told.refused else "leaked"
        mine = [line for line in lines[told.notes[0]] if name in line]
        if not any(re.search(rf"\b{state}\b", line) and re.search(rf"\b{answer}\b", line) and timed(line, told.since) for line in mine):
            yield f"{name}: the provider answers {answer}, and no line says {state} with that answer and its time"
    for path, some in lines.items():
        for line in some:
            proved = [name for name, answer in answers.items() if name in line and answer in told.refused]
            if re.search(CLAIM, line) and not (proved and timed(line, told.since) and any(re.search(rf"\b{one}\b", line) for one in told.refused)):
                yield f"{path}: no refusal was seen for: {line.strip()}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("notes", nargs="+")
    parser.add_argument("--refusal", required=True)
    parser.add_argument("--value", action="append", required=True)
    parser.add_argument("--refused", action="append", default=[])
    parser.add_argument("--since", default="")
    told = parser.parse_args()
    told.refused = told.refused or ["401", "403"]
    said(problems(told), "the note says what the provider says")


if __name__ == "__main__":
    main()
