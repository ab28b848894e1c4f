"""What a build is told, and what it tells of itself: plain values that load nothing."""

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from library.content.history import History
from library.problems import Problem

PROJECT = Path(__file__).resolve().parent.parent
TEMPLATES = PROJECT / "site_templates"
THEME = "theme"  # the folder beside the content whose files take the place of templates and assets of the same name


@dataclass(frozen=True)
class BuildSettings:
    """What a build is told.

    `site_url` takes the place of the content's own; `pending` counts waiting reports by playbook. `history` takes the
    place of what git knows of the content. What is not `durable` may be lost with the power.
    """

    content: Path
    out: Path
    today: date
    jobs: int = 2
    site_url: str | None = None
    pending: Mapping[str, int] = field(default_factory=dict)
    templates: Path = TEMPLATES
    release: bool = False
    clock: Callable[[], int] = time.time_ns
    progress: Callable[[str], None] = lambda _stage: None
    history: History | None = None
    durable: bool = True

    @property
    def theme(self) -> Path | None:
        """The folder of the owner's templates and assets."""
        return theme_beside(self.content)


@dataclass
class BuildReport:
    """What a build did: counts, and seconds by stage. After an `edit` only what changed was made."""

    playbooks: int = 0
    files: int = 0
    written: int = 0
    removed: int = 0
    edit: bool = False
    warnings: list[Problem] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    progress: Callable[[str], None] = lambda _stage: None

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Say that a stage begins, and note how long it takes."""
        self.progress(name)
        began = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - began


def theme_beside(content: Path) -> Path | None:
    """The theme of the library whose content this is; None where it has none."""
    folder = content.absolute().parent / THEME
    return folder if folder.is_dir() else None
