"""Step 3: every literal of the old job stands in a fact that cites its line, and no fact says what is not there.

    check-3.py FACTS SOURCE [SOURCE ...]

FACTS is a JSON list of {"id", "kind", "value", "at": "FILE:LINE"}. Of XML the texts and attributes are read, of a
Jenkinsfile the quoted texts, numbers, true and false, of everything else (YAML, shell) every word. Exit code 0: all there.
"""

import json
import pathlib
import re
import sys


def words(line):
    return re.findall(r"[^\s'\"=,;()\[\]{}]+", line)


def literals(path, line):
    """The words of a line that a faithful list of facts holds."""
    if path.suffix == ".xml":
        return words(re.sub(r"<[^>]*>|<[^>]*$", lambda tag: " ".join(re.findall(r"\"([^\"]*)\"", tag[0])), line))
    if line.strip().startswith(("#", "//")):
        return []
    if path.suffix == ".groovy" or path.name.startswith("Jenkinsfile"):
        quoted = re.findall(r"'([^']*)'|\"([^\"]*)\"", line)
        bare = re.findall(r"\b(?:\d+|true|false)\b", re.sub(r"'[^']*'|\"[^\"]*\"", "", line))
        return [word for pair in quoted for word in words("".join(pair))] + bare
    return words(line)


def main():
    facts, sources = json.loads(pathlib.Path(sys.argv[1]).read_text()), sys.argv[2:]
    wrong, cited = [], {}
    for fact in facts:
        if not {"id", "kind", "value", "at"} <= set(fact):
            wrong.append(f"{fact}: a fact has id, kind, value and at")
            continue
        file, _, number = str(fact["at"]).rpartition(":")
        lines = pathlib.Path(file).read_text().splitlines() if pathlib.Path(file).is_file() else []
        line = lines[int(number) - 1] if number.isdigit() and 0 < int(number) <= len(lines) else ""
        value = json.dumps(fact["value"]) if isinstance(fact["value"], bool) else str(fact["value"])
        strange = set(words(value)) - set(words(line)) - set(literals(pathlib.Path(file), line))
        if strange or not words(value):
            wrong.append(f"{fact['id']}: {fact['at']} does not say {' '.join(sorted(strange)) or 'anything'}")
        cited.setdefault(f"{pathlib.Path(file)}:{number}", set()).update(words(value))
    if len({fact.get("id") for fact in facts}) != len(facts):
        wrong.append("two facts have the same id")
    wrong += [f"{source} is gone: the old job is kept as it is" for source in sources if not pathlib.Path(source).is_file()]
    for source in filter(pathlib.Path.is_file, map(pathlib.Path, sources)):
        for number, line in enumerate(source.read_text().splitlines(), 1):
            lost = [word for word in literals(source, line) if word not in cited.get(f"{source}:{number}", ())]
            if lost:
                wrong.append(f"{source}:{number}: no fact holds {' '.join(lost)}: add it")
    print("\n".join(wrong) or f"{len(facts)} facts, nothing lost")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
