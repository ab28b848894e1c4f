"""Step 6: what runs is the target version and no other, and nothing that ships still names the old runtime. For Node.

    check-6.py BASE --install 'npm ci' --load 'require("./app")' --package express --target 5 --runtime 18

Loads the application in a clean clone of the tree and asks which files it read: one version of the package, of the target
major; no file of this repository that is a copy of the old release, names and layout apart; no package whose peer range
leaves the target out; no alias, override or forced install; in Dockerfile, .nvmrc, CI files and engines no runtime below
--runtime. Exit code 0: all hold.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from copies import copied

PROBE = """
const fs = require("fs"), path = require("path");
{load};
const found = [];
for (const file of Object.keys(require.cache)) {{
  let place = path.dirname(file);
  while (place !== path.dirname(place) && !fs.existsSync(path.join(place, "package.json"))) place = path.dirname(place);
  const own = JSON.parse(fs.readFileSync(path.join(place, "package.json"), "utf8"));
  found.push({{ file, name: own.name, version: own.version, peers: own.peerDependencies || {{}} }});
}}
fs.writeFileSync({out}, JSON.stringify(found));
process.exit(0);
"""
RUNTIME = re.compile(
    r"(?:node(?:js)?(?:[-_ ]version)?['\"]?\s*[:=@-]?\s*['\"\[]*|^v?)(?:>=|\^|~)?\s*v?(\d{1,2})(?:\.[\dx]+)*\b",
    re.I | re.M,
)
FORCED = re.compile(r"legacy-peer-deps|strict-peer-dep\w*|npm (?:ci|i|install)\b.*(?:--force|\s-f)\b|^force\s*=", re.M)


def loaded(folder, told):
    """What an application loads, file by file."""
    out = pathlib.Path(folder, "..", "loaded.json").resolve()
    ran = subprocess.run(told.install, shell=True, cwd=folder, capture_output=True, text=True)
    if not ran.returncode:
        probe = PROBE.format(load=told.load, out=json.dumps(str(out)))
        ran = subprocess.run(["node", "-e", probe], cwd=folder, capture_output=True, text=True)
    if ran.returncode or not out.exists():
        return None, ran.stderr[-800:]
    return json.loads(out.read_text()), ""


def admits(peers, target):
    """Whether a peer range allows the target's major version."""
    first = re.findall(r"(>=?|[\^~=])?\s*v?(\d+)", re.sub(r"(\d+)[.\dx*-]*", r"\1", peers))
    return not first or any(number == target or (">" in sign and int(number) < int(target)) for sign, number in first)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("base")
    for name in ("install", "load", "package", "target"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--runtime", type=int, required=True)
    told, wrong = parser.parse_args(), []
    with tempfile.TemporaryDirectory() as place:
        for name, ref in (("old/tree", told.base), ("new/tree", "HEAD")):
            subprocess.run(["git", "clone", "--quiet", ".", f"{place}/{name}"], check=True)
            sha = subprocess.run(["git", "rev-parse", ref], capture_output=True, text=True, check=True).stdout.strip()
            subprocess.run(["git", "-C", f"{place}/{name}", "checkout", "--quiet", "--detach", sha], check=True)
        old, why = loaded(f"{place}/old/tree", told)
        if old is None:
            sys.exit(f"{told.base} does not load: {why}")
        tree = pathlib.Path(place, "new/tree").resolve()
        new, why = loaded(tree, told)
        if new is None:
            wrong.append(f"the application does not load: {why}")
        versions = {one["version"] for one in new or [] if one["name"] == told.package}
        if {version.split(".")[0] for version in versions} != {told.target}:
            wrong.append(f"{told.package} in use: {', '.join(sorted(versions)) or 'none'}; wanted {told.target} alone")
        theirs = [one["file"] for one in old if "node_modules" in one["file"]]
        kept = {one["file"] for one in new or [] if "node_modules" in one["file"]}
        mine = [one["file"] for one in new or [] if pathlib.Path(one["file"]).resolve().is_relative_to(tree)]
        for file, share in copied([file for file in theirs if file not in kept], mine, kept):
            wrong.append(f"{share:.0%} of {pathlib.Path(file).name} of the old release stands in this repository's files")
        for one in {one["name"]: one for one in new or []}.values():
            if not admits(one["peers"].get(told.package, "*"), told.target):
                wrong.append(f"{one['name']} is made for {told.package} {one['peers'][told.package]}, and runs all the same")
        manifest = (tree / "package.json").read_text()
        for word in ('"npm:', '"overrides"', '"resolutions"'):
            if word in manifest:
                wrong.append(f"package.json holds {word}: no alias and no forced version")
        names = ("Dockerfile*", ".nvmrc", ".node-version", ".npmrc", ".gitlab-ci.yml", ".github/workflows/*", "package.json")
        for file in (file for name in names for file in tree.glob(name)):
            text = file.read_text()
            if forced := FORCED.search(text):
                wrong.append(f"{file.name} forces an install: {forced[0]}")
            text = json.dumps(json.loads(text).get("engines", {})) if file.name == "package.json" else text
            for number in RUNTIME.findall(text):
                if int(number) < told.runtime:
                    wrong.append(f"{file.name} still names Node {number}, and the target needs {told.runtime}")
    print("\n".join(wrong) or "the target runs, and nothing else")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
