"""Step 5: the program is the one that START emits, its tests all run as they were, and the renames can be followed.

    check-5.py START [--build 'npm run build'] [--out dist] [--test 'npm test'] [--tests tests] [--src src --src types]

START is the commit before the first conversion, as a person wrote it down. Three builds are compared, each in a new
copy: START; what is here; and the sources from here with everything else of START, so that a changed build hides
nothing. The test command prints the names of passed tests (TAP, or a verbose reporter). Exit code 0: the same program.
"""

import argparse
import re
import sys

from trees import CODE, committed, git, run, sources, tree

PASSED = re.compile(r"^\s*(?:ok \d+ -|[✓✔√]|PASS(?:ED)?)\s+(.*?)(?:\s*\(?[\d.]+ ?m?s\)?)?\s*$", re.M)
IMPORT = re.compile(r"""((?:\bfrom|\bimport|\bimport\(|\brequire\()\s*["'][^"'\n]*?)\.[cm]?[jt]sx?(?=["'])""")


def emitted(command, out, copy, wrong, who):
    """The text of every file that a build wrote into an empty folder, without the endings of module paths."""
    run(f"rm -rf '{out}'", copy)
    code, output = run(command, copy)
    if code:
        wrong.append(f"{who}: `{command}` fails: {output[-400:]}")
    found = (path for path in (copy / out).rglob("*") if path.is_file() and not path.name.endswith((".map", ".d.ts")))
    texts = {str(path.relative_to(copy / out)): path.read_text(errors="replace") for path in found}
    texts = {name: IMPORT.sub(r"\1", re.sub(r"^// \S+\.[jt]sx?$", "", text, flags=re.M)) for name, text in texts.items()}
    return {name: text for name, text in texts.items() if text.strip() not in ("", "export {};")}


def passed(command, copy):
    """The names of the tests that passed; one that is skipped, or expected to fail, has not."""
    return sorted(name for name in PASSED.findall(run(command, copy)[1]) if not re.search(r"# (SKIP|TODO)", name))


def renamed(start, folders):
    """Sources of START that became TypeScript without a commit that does little else than rename them."""
    moves = git("log", "-M90%", "--diff-filter=R", "--name-status", "--format=", f"{start}..HEAD").splitlines()
    moved = {tuple(line.split("\t")[1:]) for line in moves}
    here = set(sources(".", *folders))
    for old in git("ls-tree", "-r", "--name-only", start, "--", *folders).splitlines():
        new = CODE.sub(r".\1ts\2", old).replace(".tsx", ".ts") if CODE.search(old) else old
        for name in {new, f"{new}x"} & here - {old}:
            if (old, name) not in moved:
                yield f"{name}: no commit renames {old} before types are added, so `git log --follow` loses it"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("start")
    for name, usual in (("build", "npm run build"), ("out", "dist"), ("test", "npm test"), ("tests", "tests")):
        parser.add_argument(f"--{name}", default=usual)
    parser.add_argument("--src", action="append")
    told, wrong = parser.parse_args(), []
    folders = told.src or ["src"]
    committed()
    with tree(told.start) as copy:
        before = emitted(told.build, told.out, copy, wrong, told.start)
        tests = passed(told.test, copy)
        git("rm", "-rq", "--ignore-unmatch", "--", *folders, folder=copy)
        kept = [name for name in folders if git("ls-tree", "HEAD", "--", name)]
        git("checkout", "-q", git("rev-parse", "HEAD").strip(), "--", *kept, folder=copy)
        mixed = emitted(told.build, told.out, copy, wrong, f"the sources with the build of {told.start}")
    with tree() as copy:
        after = emitted(told.build, told.out, copy, wrong, "the build of now")
        now = passed(told.test, copy)
    if not before or not tests:
        sys.exit(f"{told.start} emits {len(before)} files into {told.out}, and {len(tests)} tests are named: nothing to compare")
    for who, texts in ((f"with the build of {told.start}", mixed), ("with the build of now", after)):
        differ = sorted(name for name in before.keys() | texts.keys() if before.get(name) != texts.get(name))
        wrong += [f"{told.out}/{name} is not what {told.start} emits, {who}: types alone do not do that" for name in differ]
    if now != tests:
        wrong.append(f"other tests pass than {len(tests)} at {told.start}: {sorted(set(tests) ^ set(now)) or len(now)}")
    if changed := git("diff", "--name-only", told.start, "HEAD", "--", told.tests).split():
        wrong.append(f"tests were touched: {', '.join(changed)}")
    wrong += renamed(told.start, folders)
    print("\n".join(wrong) or f"{len(before)} files emitted as by {told.start}, {len(tests)} tests")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
