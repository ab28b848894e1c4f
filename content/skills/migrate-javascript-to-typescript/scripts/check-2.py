"""Steps 2 and 8: the commands that CI runs are strict in every folder, and for every source of its own.

    check-2.py [--typecheck 'npm run typecheck'] [--lint 'npm run lint'] [--src src]

Beside the sources of each folder a probe is planted, and to the end of each TypeScript source the same lines are
added. Each command must name every one of them, the type check for each setting of `strict`, the linter for each of the
three rules, and no error elsewhere. Exit code 0: they do.
"""

import argparse
import pathlib
import sys

from trees import committed, errors_elsewhere, run, said_of, sources, tree

# One line for each strict setting with the error that it gives; then one for each rule.
STRICT = [
    ("export const planted1 = (one) => String(one);", "TS7006"),
    ("export const planted2: string = null;", "TS2322"),
    ("export class Planted3 { field: string }", "TS2564"),
    ("export const planted4 = (one: (a: string) => void): ((a: string | number) => void) => one;", "TS2322"),
    ("export function planted5() { try { return 1; } catch (problem) { return problem.message; } }", "TS18046"),
    ("export const planted6: number = ((a: string) => a.length).call(undefined, 1);", "TS2345"),
    ("export function planted7() { return this.field; }", "TS2683"),
]
RULES = [
    ("export const planted8: any = 1;", "no-explicit-any"),
    ("// @ts-ignore", "ban-ts-comment"),
    ("export const planted9 = (one?: string) => one!.length;", "no-non-null-assertion"),
]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--typecheck", default="npm run typecheck")
    parser.add_argument("--lint", default="npm run lint")
    parser.add_argument("--src", action="append")
    told, wrong = parser.parse_args(), []
    committed()
    with tree() as copy:
        lines = "\n".join(line for line, _ in STRICT + RULES)
        typed = [name for name in sources(copy, *(told.src or ["src"])) if name.endswith(("ts", "tsx"))]
        probes = {str(pathlib.Path(name).parent / "planted-probe.ts") for name in sources(copy, *(told.src or ["src"]))}
        for name in typed:
            with (copy / name).open("a") as file:
                file.write(f"\n{lines}\n")
        for name in probes:
            (copy / name).write_text(f"{lines}\n")
        for command, wanted in ((told.typecheck, STRICT), (told.lint, RULES)):
            _, output = run(command, copy)
            if others := errors_elsewhere(output, copy, "export const planted1 "):
                wrong.append(f"`{command}` fails as it is: {others[0]}")
            for name in sorted({*typed, *probes}):
                said = said_of(output, name)
                end = len((copy / name).read_text().splitlines()) - len(STRICT + RULES) + 1
                lost = [
                    line
                    for number, (line, word) in enumerate(STRICT + RULES, end)
                    if (line, word) in wanted and word not in " ".join(said.get(number, ()))
                ]
                if lost:
                    wrong.append(f"`{command}` says nothing of this in {name}: it is excluded, or not strict: {lost[0]}")
    print("\n".join(wrong) or f"strict in {len(probes)} folders and {len(typed)} TypeScript sources")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
