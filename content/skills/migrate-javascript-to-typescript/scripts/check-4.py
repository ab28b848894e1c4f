"""Steps 4 and 8: recorded samples compile as literals, with a field of another type they do not, and the code uses these types.

    check-4.py samples/events.json[]=types/app.ts#AppEvent [FILE=MODULE#TYPE …] [--open PATH] [--tsc 'npx tsc']

FILE holds a JSON sample, FILE[] a list of them. Every field of every sample is set once to a value of a type that no
sample has there. Then each TYPE loses all its fields: a field that the code reads must be missed somewhere, else the code
works with other types. --open names a field, as it is printed, that takes anything on purpose. Exit code 0: types fit.
"""

import argparse
import copy
import json
import pathlib
import re
import sys

from trees import committed, run, tree
from uses import unmissed

OTHERS = {"str": "planted", "int": 90210, "bool": True, "dict": {"plantedField": 90210}}


def kind(value):
    return {"float": "int"}.get(type(value).__name__, type(value).__name__)


def fields(value, path=()):
    """Every path in a sample with its value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*path, key), one
        yield from fields(one, (*path, key))


def named(path, sample):
    """A path as it is printed: list positions are one, and so are the samples of one tag."""
    tag = sample.get("kind") or sample.get("type") or "" if isinstance(sample, dict) else ""
    return f"{tag} {'.'.join('[]' if isinstance(key, int) else key for key in path)}".strip()


def changed(sample, path, value):
    sample = copy.deepcopy(sample)
    place = sample
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return sample


def planted(samples):
    """Pairs of a name and a sample with one field of a type that is never there."""
    seen, done = {}, set()
    for sample in samples:
        for path, value in fields(sample):
            seen.setdefault(named(path, sample), set()).add(kind(value))
    for sample in samples:
        for path, _ in fields(sample):
            name = named(path, sample)
            strange = [one for one in OTHERS if one not in seen[name] and not (one == "dict" and "list" in seen[name])]
            if seen[name] == {"NoneType"}:
                strange = ["dict"]
            for other in strange if name not in done else ():
                yield f"{name} of type {other}", changed(sample, path, OTHERS[other])
            done.add(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("samples", nargs="+")
    parser.add_argument("--open", action="append", default=[])
    parser.add_argument("--tsc", default="npx tsc")
    told, wrong, lines, names, types = parser.parse_args(), [], [], [], []
    committed()
    with tree() as place:
        for number, given in enumerate(told.samples):
            file, module, wanted = re.fullmatch(r"(.+?)=(.+)#(\w+)", given).groups()
            found = json.loads((place / file.removesuffix("[]")).read_text())
            found = found if file.endswith("[]") else [found]
            types.append((module, wanted, found))
            literals = [(f"{file} sample {n}", one, True) for n, one in enumerate(found)]
            literals += [(f"{file} {name}", one, False) for name, one in planted(found)]
            module = re.sub(r"\.(d\.)?([cm]?)tsx?$", r".\2js", module)
            lines.append(f'import type {{ {wanted} as T{number} }} from "./{module}";')
            names.append((None, None))
            for name, one, good in literals:
                names.append((name, good))
                lines.append(f"export const s{len(names)}: T{number} = {json.dumps(one)};")
        (place / "planted-samples.ts").write_text("\n".join(lines) + "\n")
        options = {"extends": "./tsconfig.json", "include": ["planted-samples.ts", "**/*.d.ts"], "exclude": ["node_modules"], "files": []}
        options["compilerOptions"] = {"strict": True, "strictNullChecks": True, "noEmit": True, "noCheck": False}
        (place / "planted.json").write_text(json.dumps(options))
        _, output = run(f"{told.tsc} --pretty false -p planted.json", place)
        errors = dict(re.findall(r"^planted-samples\.ts\((\d+),\d+\): (error .*)", output, re.M))
        for number, (name, good) in enumerate(names, 1):
            error = errors.get(str(number))
            if good is None and error or good and error:
                wrong.append(f"{name or told.samples[0]} does not fit its type: {error}")
            if good is False and not error and not any(f" {one} of type" in name for one in told.open):
                wrong.append(f"{name} fits, and no sample is so: the type is too wide there")
        if not errors:
            wrong.append(f"not one planted value was refused:\n{output[-600:]}")
        wrong += [text for key, text in unmissed(place, told.tsc, types) if key not in told.open]
    print("\n".join(wrong) or f"{len(names)} literals: the samples fit, nothing else, and the code uses their types")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
