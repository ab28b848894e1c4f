# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Whether the sources are TypeScript that emits the program of before, with every escape among the six that were agreed."""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

FAILED, GRADER, TOOLS = 10, pathlib.Path(os.environ["GRADER"]), pathlib.Path(os.environ["TOOLS"], "node_modules")
CASE, ROOM = pathlib.Path("/trial"), pathlib.Path("/tmp/room")
STRICT = {"target": "es2023", "module": "nodenext", "types": ["node"], "strict": True, "skipLibCheck": False, "noEmit": True}
SCRIPTS = {"build": "node build.mjs", "typecheck": "tsc --pretty false", "lint": "eslint .", "test": "node build.mjs && node --test --test-reporter=tap tests/*.test.js"}
EVENT = {"lent": ["item", "person", "due"], "extended": ["item", "due"], "returned": ["item"], "fined": ["person", "cents"]}


def failed(why):
    print(str(why)[:1500])
    sys.exit(FAILED)


def child(command):
    return subprocess.run([os.environ["CHILD"], command], capture_output=True).returncode


def git(*words):
    return subprocess.run(["git", "-c", "core.fsmonitor=", "-c", "core.hooksPath=/dev/null", *words], capture_output=True, text=True, errors="replace").stdout


def tool(*words):
    ran = subprocess.run(words, cwd=ROOM, capture_output=True, text=True, errors="replace")
    return ran.returncode, ran.stdout + ran.stderr


def sums():
    rows = [line.split() for line in (GRADER / "files.sha256").read_text().splitlines() if line[0] != "#"]
    return {name: digest for digest, name in rows}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def settings():
    for name, wanted in sums().items():
        if not name.startswith("dist/") and digest(CASE / name) != wanted:
            failed(f"{name} was changed")
    scripts = json.loads((CASE / "package.json").read_text())["scripts"]
    if {name: scripts.get(name) for name in SCRIPTS} != SCRIPTS:
        failed(f"the commands were changed: {scripts}")
    text = re.sub(r"^\s*//.*$|,(?=\s*[}\]])", "", (CASE / "tsconfig.json").read_text(), flags=re.M)
    options = {"target": "es2023", "module": "nodenext", "types": ["node"], "strict": True, "skipLibCheck": True, "noEmit": True}
    found = json.loads(text)
    kept = {name: value for name, value in found["compilerOptions"].items() if name != "checkJs" and (name, value) != ("allowJs", False)}
    if found != {"compilerOptions": found["compilerOptions"], "include": ["src", "types"]} or kept != options:
        failed(f"tsconfig.json: {found}")
    if git("status", "--porcelain").strip():
        failed(f"not committed: {git('status', '--porcelain')[:300]}")


def copied():
    """The sources alone, as plain files, where nothing of the case's settings is."""
    for name in git("ls-files", "-z", "src", "types").split("\0"):
        path = CASE / name
        if name and name.endswith((".js", ".mjs", ".cjs", ".jsx")) or path.is_symlink():
            failed(f"{name} is no TypeScript")
        if name.endswith(".ts"):
            (ROOM / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, ROOM / name)
    (ROOM / "node_modules").symlink_to(TOOLS)
    (ROOM / "package.json").write_text('{"type": "module"}')
    shutil.copyfile(CASE / "defaults.json", ROOM / "defaults.json")


def emitted():
    code, output = tool("node", str(GRADER / "build.mjs"))
    found = {f"dist/{path.relative_to(ROOM / 'dist')}": path for path in (ROOM / "dist").rglob("*.js")}
    wanted = {name: one for name, one in sums().items() if name.startswith("dist/")}
    strange = [name for name, path in found.items() if name not in wanted and path.read_text().strip() not in ("", "export {};")]
    differ = [name for name in wanted if name not in found or digest(found[name]) != wanted[name]]
    if code or strange or differ:
        failed(f"it emits another program: {differ} {strange} {output[-300:]}")
    names = [name.removeprefix("dist/").removesuffix(".js") for name in wanted]
    moved = {tuple(line.split("\t")[1:]) for line in git("log", "-M90%", "--diff-filter=R", "--name-status", "--format=").splitlines() if line}
    if lost := [name for name in names if (f"src/{name}.js", f"src/{name}.ts") not in moved]:
        failed(f"no commit renames {lost} before types are added")
    return names


def compiled(*words):
    return tool("node", str(TOOLS / "typescript/lib/tsc.js"), "--pretty", "false", *words)[1]


def strict():
    """Places of fields that are declared though no constructor sets them; without `declare` the compiler says so."""
    (ROOM / "tsconfig.json").write_text(json.dumps({"compilerOptions": STRICT, "include": ["src", "types"]}))
    kept = {path: path.read_text() for path in (ROOM / "src").rglob("*.ts")}
    for path, text in kept.items():
        path.write_text(re.sub(r"^(\s+(?:(?:public|private|protected) )?)declare (?=(?:readonly )?\w+\s*[:;])", r"\1", text, flags=re.M))
    output = compiled()
    for path, text in kept.items():
        path.write_text(text)
    unset = re.findall(r"^(src/\S+\.ts)\((\d+),\d+\): (error TS2564.*)", output, re.M)
    if output.count("error TS") > len(unset):
        failed(f"the strict type check fails: {output[-800:]}")
    return {(str(ROOM / name), int(line)): said for name, line, said in unset}


def typed():
    events = json.loads((CASE / "samples/events.json").read_text())
    defaults = json.loads((CASE / "defaults.json").read_text())
    bad = [{**one, field: value} for one in events for field in ["id", "at", *EVENT[one["kind"]]] for value in ([], None)]
    bad += [{**events[0], "kind": "odd"}, {**events[1], "loan": None}, {**events[4], "note": 5}]
    settings = [{**defaults, name: []} for name in ("file", "days")] + [{**defaults, "fees": [{"upTo": "7", "cents": 1}]}]
    head = """import type { Defaults, LendingEvent } from "./types/lending.js"; import { State } from "./src/state.js";
import { load } from "./src/store.js"; import { defaults } from "./src/config.js"; import { describe } from "./src/events.js";
let event: LendingEvent; let setting: Defaults; const state = new State();""".splitlines()
    forms = ["event = %s;", "state.apply(%s);", "describe(%s);"]
    good = [form % json.dumps(one) for form in forms for one in events]
    good += [f"setting = {json.dumps(defaults)};", "setting = defaults;", 'export const all: LendingEvent[] = load("");']
    wrong = [form % json.dumps(one) for form in forms for one in bad] + [f"setting = {json.dumps(one)};" for one in settings]
    wrong += ["export const number: number = defaults;", 'export const numbers: number[] = load("");']
    lines = [*head, *good, *wrong]
    (ROOM / "uses.ts").write_text("\n".join(lines) + "\n")
    (ROOM / "uses.json").write_text(json.dumps({"compilerOptions": {**STRICT, "skipLibCheck": True}, "files": ["uses.ts"]}))
    refused = {int(number) for number in re.findall(r"^uses\.ts\((\d+),", compiled("-p", "uses.json"), re.M)}
    (ROOM / "uses.ts").unlink()
    if refused != {number for number in range(1 + len(head) + len(good), 1 + len(lines))}:
        strange = [line for number, line in enumerate(lines, 1) if (number in refused) != (number > len(head) + len(good))]
        failed(f"the types, or those that the code works with, are not those of the records: {strange[:4]}")


def escapes(unset):
    code, output = tool("node", str(TOOLS / "eslint/bin/eslint.js"), "--no-inline-config", "--no-ignore", "--format", "json", "-c", str(GRADER / "rules.mjs"), "src", "types")
    if code > 1:
        failed(f"the sources cannot be linted: {output[-400:]}")
    places = {(file["filePath"], message["line"]): message["message"] for file in json.loads(output) for message in file["messages"]}
    places |= unset
    if len(places) > 6:
        failed(f"{len(places)} lines with an escape: {list(places.items())}")
    for path, line in places:
        if not re.search(r"TODO\(types\)\W+\w+", "\n".join(pathlib.Path(path).read_text().splitlines()[max(0, line - 3) : line])):
            failed(f"{path}:{line} gives no reason")
    plan = (CASE / "PLAN.md").read_text()
    if re.findall(r"^Escapes: (\d+)\s*$", plan, re.M) != [str(len(places))]:
        failed(f"PLAN.md has another number of escapes than {len(places)}")
    return plan


def planned(plan, names):
    rows = dict(re.findall(r"^\| *`?src/([\w/]+)\.[jt]s`? *\| *(\w+)", plan, re.M))
    if set(rows) != set(names) or {state.lower() for state in rows.values()} != {"done"}:
        failed(f"the rows of PLAN.md: {rows}")
    if "summary" not in plan.partition("Suspected bugs")[2]:
        failed("PLAN.md does not tell the bug that the types show")


def commands():
    for command in ("npm run typecheck", "npm run lint", "npm test", "npm run escapes"):
        if child(command):
            failed(f"`{command}` fails")
    if "npm run escapes" not in (CASE / ".github/workflows/ci.yml").read_text():
        failed("CI does not count the escapes")
    path = CASE / "src/state.ts"
    path.write_text(path.read_text() + "\nexport const more = (one: ReturnType<typeof JSON.parse>): string => one;\n")
    if child("npm run escapes") == 0:
        failed("an escape more in src/state.ts, and `npm run escapes` passes")


def main():
    os.chdir(CASE)
    ROOM.mkdir()
    try:
        settings()
        copied()
        names = emitted()
        unset = strict()
        typed()
        planned(escapes(unset), names)
        commands()
    except (OSError, KeyError, TypeError, AttributeError, ValueError, IndexError) as error:
        failed(f"it cannot be used: {error!r}")
    print("the same program, typed")


main()
