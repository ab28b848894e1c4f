"""Step 8: no JavaScript is left, each module has its TypeScript, CI's type check reads every file, patches can be read.

    check-8.py START [--typecheck 'npm run typecheck'] [--src src --src types] [--limit 400]

START is the commit before the first conversion. A type error is planted in every source at once, and a module of plain
JavaScript is imported: the type check must report each file, and that module as one without types. Exit code 0: all hold.
"""

import argparse
import re
import sys

from trees import CODE, committed, errors_elsewhere, git, run, said_of, sources, tree


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("start")
    parser.add_argument("--typecheck", default="npm run typecheck")
    parser.add_argument("--src", action="append")
    parser.add_argument("--limit", type=int, default=400)
    told, wrong = parser.parse_args(), []
    folders = told.src or ["src"]
    committed()
    here = sources(".", *folders)
    wrong += [f"{name} is JavaScript still" for name in here if re.search(r"\.[cm]?jsx?$", name)]
    old = [name for name in git("ls-tree", "-r", "--name-only", told.start, "--", *folders).splitlines() if CODE.search(name)]
    stems = {CODE.sub("", name) for name in here if re.search(r"\.[cm]?tsx?$", name)}
    wrong += [f"{name} of {told.start} has no TypeScript of the same name" for name in old if CODE.sub("", name) not in stems]
    for commit in git("rev-list", "--no-merges", f"{told.start}..HEAD").split():
        rows = [row.split("\t") for row in git("show", "-M", "--numstat", "--format=", commit, "--", *folders).splitlines()]
        lines = sum(int(row[0]) + int(row[1]) for row in rows if row[0].isdigit())
        if lines > told.limit:
            wrong.append(f"{git('log', '-1', '--format=%h %s', commit).strip()}: {lines} changed lines, over {told.limit}: cut it")
    with tree() as copy:
        for name in here:
            with (copy / name).open("a") as file:
                file.write("\nexport const planted: number = 'planted';\n")
        (copy / folders[0] / "planted-js.js").write_text("export const planted = 1;\n")
        (copy / folders[0] / "planted-ts.ts").write_text('export { planted } from "./planted-js.js";\n')
        _, output = run(told.typecheck, copy)
        if others := errors_elsewhere(output, copy, ("export const planted: ", "export { planted")):
            wrong.append(f"`{told.typecheck}` fails as it is: {others[0]}")
        for name in here:
            if not any("TS2322" in text for texts in said_of(output, name).values() for text in texts):
                wrong.append(f"a type error in {name}, and `{told.typecheck}` does not report it: the file is excluded")
        if not any("TS7016" in text for texts in said_of(output, f"{folders[0]}/planted-ts.ts").values() for text in texts):
            wrong.append("a module of plain JavaScript is taken: allowJs is on, or noImplicitAny is off")
    print("\n".join(wrong) or f"{len(here)} sources, all TypeScript and all checked")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
