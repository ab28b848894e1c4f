"""Steps 6 and 7: the escapes are no more than agreed, PLAN.md has their number, each has a reason, and CI sees new ones.

    check-6.py AGREED [--ci 'npm run escapes'] [--plan PLAN.md] [--src src --src types] [--project tsconfig.json]

They are counted in lines, by the rules of escapes.config.mjs beside this script with all strict settings on, whatever
the repository's own rules and comments say. Then escapes are planted in every source, and CI's command must turn red
and name each line. Exit code 0: all hold.
"""

import argparse
import json
import os
import pathlib
import re
import shutil
import sys

from trees import committed, git, run, said_of, tree

OPTIONS = ("strict", "noImplicitAny", "noImplicitThis", "strictNullChecks", "strictFunctionTypes", "strictBindCallApply")
OPTIONS += ("strictPropertyInitialization", "useUnknownInCatchVariables", "noEmit")
PLANTED = [
    "export const planted1 = 1 as any;",
    "export function planted2(one: ReturnType<typeof JSON.parse>): string { return one; }",
    "export function planted3(one: unknown): one is string { return true; }",
    "export const planted4 = (one: unknown) => one as string;",
    "export const planted5 = (one?: string) => one!;",
    "// @ts-expect-error planted",
]


def escapes(copy, folders, project):
    """Lines with an escape as {file: {line: what}}, by the rules beside this script."""
    own = {"extends": f"./{project}", "include": [*folders, "**/*.d.ts"], "exclude": ["node_modules"], "files": []}
    own["compilerOptions"] = {**dict.fromkeys(OPTIONS, True), "noCheck": False, "allowJs": False, "checkJs": False}
    (copy / "planted.json").write_text(json.dumps(own))
    shutil.copy(pathlib.Path(__file__).parent / "escapes.config.mjs", copy / "planted.config.mjs")
    names = [name for name in git("ls-files", "--", *folders, folder=copy).splitlines() if re.search(r"\.[cm]?tsx?$", name)]
    command = "npx eslint --no-inline-config --no-ignore --format json -c planted.config.mjs " + " ".join(f"'{one}'" for one in names)
    code, output = run(command, copy, env={**os.environ, "PROJECT": "planted.json"})
    if not names or code > 1 or not output.startswith("["):
        sys.exit(f"the rules cannot be run on {names}: {output[-600:]}")
    found = {}
    for file in json.JSONDecoder().raw_decode(output)[0]:
        for message in file["messages"]:
            lines = found.setdefault(os.path.relpath(file["filePath"], os.path.realpath(copy)), {})
            lines.setdefault(message["line"], message["message"].split("\n")[0])
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("agreed", type=int)
    for name, usual in (("ci", "npm run escapes"), ("plan", "PLAN.md"), ("project", "tsconfig.json")):
        parser.add_argument(f"--{name}", default=usual)
    parser.add_argument("--src", action="append")
    told, wrong = parser.parse_args(), []
    folders = told.src or ["src"]
    committed()
    with tree() as copy:
        found = escapes(copy, folders, told.project)
        number = sum(map(len, found.values()))
        places = [f"{name}:{line}: {what}" for name, lines in sorted(found.items()) for line, what in sorted(lines.items())]
        if number > told.agreed:
            wrong.append("\n".join([f"{number} lines with an escape, {told.agreed} agreed:", *places]))
        for name, lines in sorted(found.items()):
            text = (copy / name).read_text().splitlines()
            for line in sorted(lines):
                above = "\n".join(text[max(0, line - 3) : line])
                if not re.search(r"eslint-disable", above) or not re.search(r"TODO\(types\)\W+\w+ \w+", above):
                    wrong.append(f"{name}:{line} has no eslint-disable-next-line with TODO(types) and what is unknown")
        plan = re.search(r"^\W*escapes\W+(\d+)", (copy / told.plan).read_text(), re.I | re.M)
        if not plan or int(plan[1]) != number:
            wrong.append(f"{told.plan} has {plan and plan[0]!r}, and there are {number}: write the line `Escapes: {number}`")
        sources = [one for one in git("ls-files", "--", *folders, folder=copy).splitlines() if re.search(r"(?<!\.d)\.[cm]?tsx?$", one)]
        ends = {name: len((copy / name).read_text().splitlines()) for name in sources}
        for name in sources:
            with (copy / name).open("a") as file:
                file.write("\n".join([*PLANTED, "export const planted6: number = ''.length;"]) + "\n")
        code, output = run(told.ci, copy)
        for name in sources:
            said = said_of(output, name)
            missed = [line for n, line in enumerate(PLANTED, ends[name] + 1) if n not in said]
            if not code or missed:
                wrong.append(f"in {name} `{told.ci}` ends with {code} and does not name: {(missed or PLANTED)[0]}")
    print("\n".join(wrong) or f"{number} lines with an escape, each with its reason; CI sees new ones")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
