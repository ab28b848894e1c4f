"""Makes dist/: reads the dependencies, refuses syntax that the servers cannot read, runs the tests, renders, bundles."""

import ast
import hashlib
import importlib
import pathlib
import shutil
import sys
import traceback
import unittest
import zipfile

OLDEST = (3, 8)  # what the servers run
ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.dont_write_bytecode = True


def keys(environ):
    """A developer's own keys, where there are any."""
    file = ROOT / ".env.local"
    for line in file.read_text().split() if file.exists() else ():
        environ.setdefault(*line.split("=", 1))


def dependencies():
    """The text of each dependency, by its name; the cache spares what was read before."""
    found = {}
    for line in (ROOT / "deps.lock").read_text().splitlines():
        name, version, digest = line.split()
        cached = ROOT / ".cache" / f"{name}.py"
        if cached.exists():
            found[name] = cached.read_text()
            continue
        data = (ROOT / "mirror" / f"{name}-{version}.py").read_bytes()
        if hashlib.sha256(data).hexdigest() != digest:
            raise SystemExit(f"mirror/{name}-{version}.py: its digest is not that of deps.lock")
        readable(f"mirror/{name}-{version}.py", data.decode())
        cached.parent.mkdir(exist_ok=True)
        cached.write_text(data.decode())
        found[name] = data.decode()
    return found


def readable(path, text):
    try:
        ast.parse(text, path, feature_version=OLDEST)
    except SyntaxError as error:
        raise SystemExit(f"{path}:{error.lineno}: {error.msg}") from None


def tested():
    """The ids of the tests that ran."""
    suite = unittest.defaultTestLoader.discover(str(ROOT / "tests"), top_level_dir=str(ROOT))
    flat, ids = [suite], []
    while flat:
        one = flat.pop()
        flat.extend(one) if isinstance(one, unittest.TestSuite) else ids.append(one.id())
    result = unittest.TextTestRunner(verbosity=0).run(suite)
    if not result.wasSuccessful():
        raise SystemExit("tests failed")
    return sorted(set(ids) - {test.id() for test, _ in result.skipped})


def rendered(pages, out):
    for path in pages:
        page = importlib.import_module(f"pages.{path.stem}")
        (out / "pages" / f"{path.stem}.html").write_text(page.html())


def bundled(sources, found, out):
    for line in (ROOT / "targets.txt").read_text().splitlines():
        name, module = line.split()
        with zipfile.ZipFile(out / f"{name}.pyz", "w") as bundle:
            for path in sources:
                bundle.writestr(str(path.relative_to(ROOT)), path.read_text())
            for dependency, text in found.items():
                bundle.writestr(f"{dependency}.py", text)
            bundle.writestr("__main__.py", f"import sys\nfrom {module} import main\nsys.exit(main(sys.argv[1:]))\n")


def main(environ):
    keys(environ)
    out = ROOT / "dist"
    shutil.rmtree(out, ignore_errors=True)
    found = dependencies()
    sources = sorted((ROOT / "lib").glob("*.py"))
    pages = sorted((ROOT / "pages").glob("*.py"))
    for path in [*sources, *pages]:
        readable(path.relative_to(ROOT), path.read_text())
    sys.path[:0] = [str(ROOT), str(ROOT / ".cache")]
    (out / "pages").mkdir(parents=True)
    rendered(pages, out)
    ids = tested()
    bundled(sources, found, out)
    (out / "tests.txt").write_text("".join(f"{one}\n" for one in ids))


if __name__ == "__main__":
    import os

    try:
        main(os.environ)
    except Exception as error:
        if "--verbose" in sys.argv:
            traceback.print_exc()
        else:
            print(f"error: {error!r}")
        sys.exit(1)
