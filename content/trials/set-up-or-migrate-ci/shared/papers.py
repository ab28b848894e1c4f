# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""The papers of an honest migration: facts.json, gaps.md, mapping.json and test-plan.md, from the sources and a workflow."""
import json
import pathlib
import re
import sys

ANSWERS = "export/answers.md"
DECIDED = {  # a word of the fact: a word of the answer's line, and what it becomes (None: dropped)
    "linux-large": ("linux-large", "ubuntu-latest"),
    "30 2 * * 1-5": ("30 2", "30 1 * * 1-5"),
    "Europe/Vienna": ("30 2", "30 1 * * 1-5"),
    "LEGACY_FTP_HOST": ("LEGACY_FTP", None),
    "orders: build": ("description", None),
    "anybody": ("anybody", "workflow_dispatch"),
    "20 MINUTES": ("MINUTES", "timeout-minutes 20"),
}


def words(text):
    return {word.strip("-") or word for word in re.findall(r"[\w*-]+", text.lower().replace("_", "-"))}


def lines_of(name):
    return pathlib.Path(name).read_text().splitlines()


def facts():
    found = []
    for source in ("Jenkinsfile", "export/config.xml"):
        for number, line in enumerate(lines_of(source), 1):
            if source == "Jenkinsfile":
                value = " ".join(re.findall(r"'([^']*)'", line))
                value = " ".join([*re.findall(r"\b\d+\b", re.sub(r"'[^']*'", "", line)), value]).strip()
            else:
                value = re.sub(r"<[^>]*>", "", line).strip()
            kind = re.search(r"<?(\w+)", line)
            if value and kind[1] == "spec":  # two facts: the time, and what it passes
                time, _, passed = value.partition(" %")
                found += [(kind[1], time, f"{source}:{number}"), ("passed", f"%{passed}", f"{source}:{number}")]
            elif value:
                found.append((kind[1], value, f"{source}:{number}"))
    return [{"id": f"f{n}", "kind": kind, "value": value, "at": at} for n, (kind, value, at) in enumerate(found, 1)]


def answer(word):
    return next(f"{ANSWERS}:{n}" for n, line in enumerate(lines_of(ANSWERS), 1) if word in line)


def places(wanted, files):
    found = []
    for word in sorted(wanted):
        for file in files:
            code = [re.sub(r"(^|\s)#.*", "", line) for line in lines_of(file)]
            at = next((f"{file}:{n}" for n, line in enumerate(code, 1) if word in words(line)), None)
            if at:
                found.append(at)
                break
    return sorted(set(found))


def mapping(listed, files):
    rows = []
    for fact in listed:
        row = {"fact": fact["id"]}
        mine = dict(DECIDED)
        if fact["kind"] == "numToKeep":
            mine["30"] = ("numToKeep", "retention-days 30")
        if fact["kind"] == "concurrentBuild":
            mine["false"] = ("concurrentBuild", "concurrency group")
        if fact["kind"] == "zone":
            mine = {"Europe/Vienna": DECIDED["Europe/Vienna"]}
        key = next((key for key in mine if key in fact["value"]), None)
        key = None if key == "20 MINUTES" and places(words("minutes 20"), files[:1]) and "minutes: 20" in " ".join(
            lines_of(files[0])) and "timeout-minutes: 20" not in " ".join(lines_of(files[0])) else key
        if key:
            row["decided"] = answer(mine[key][0])
            new = mine[key][1]
            row |= {"dropped": True} if new is None else {"new": new, "to": places(words(new), files)}
        else:
            row["to"] = places(words(fact["value"]), files)
        rows.append(row)
    return rows


files = sys.argv[1:]
listed = facts()
pathlib.Path("facts.json").write_text(json.dumps(listed, indent=1))
pathlib.Path("mapping.json").write_text(json.dumps(mapping(listed, files), indent=1))
pathlib.Path("gaps.md").write_text("# Questions\n\n" + "".join(
    f"- What is `{word}` for? Mira Holzer: see {answer(word)}.\n" for word in ("PYTHONHASHSEED", "LEGACY_FTP", "linux-large")))
pathlib.Path("test-plan.md").write_text("# Test plan\n\n" + "".join(f"- [ ] {name}: {how}\n" for name, how in {
    "push": "an empty commit on release/0; wrong: not green, or it publishes",
    "tag": "v0.0.1 on a commit of no meaning, with a key for the test server; wrong: no package there",
    "pull_request": "a branch with bad/unit.patch; wrong: it is green",
    "fork": "the test account's fork; wrong: any step sees a secret",
    "schedule": "workflow_dispatch with CHANNEL nightly stands in, then the first night; wrong: another channel",
    "workflow_dispatch": "CHANNEL beta, DRY_RUN true; wrong: it publishes",
}.items()))
