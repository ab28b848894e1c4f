"""The index that browsers search, beside the pages: the very bytes that the service ranks by."""

from pathlib import Path

from .writer import Artifact, differing, remove, write

FOLDER = "search"
KIND = ".bin"


def write_search(folder: Path, *, served: bool) -> int:
    """Bring the compact index of `folder/index` into `folder/public/search`; the number of files written.

    The file that names the others is written last, and what it named before goes after that.
    """
    public = folder / "public"
    made = sorted((folder / "index").glob(f"*{KIND}"), key=lambda path: (path.name == f"{FOLDER}{KIND}", path.name))
    fresh = list(differing(public, [Artifact(f"{FOLDER}/{path.name}", path.read_bytes()) for path in made]))
    write(public, fresh, served=served)
    known = {path.name for path in (public / FOLDER).glob(f"*{KIND}")}
    remove(public, [f"{FOLDER}/{name}" for name in sorted(known - {path.name for path in made})])
    return len(fresh)
