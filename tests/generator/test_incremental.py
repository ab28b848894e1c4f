"""Whatever is edited in whatever order: an incremental build gives the bytes of a cold one."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from library.formatting import canonical
from tests.builders import LESSON, TODAY, put
from tests.rich import a_book, a_report, write_rich_content
from tests.trees import built, differences

SLUGS = ("alpha", "beta", "gamma")


def _put_book(content: Path, slug: str, number: int) -> None:
    name = f"playbooks/{slug}.yaml"
    tags = ["testing", "ci", "data"][: number % 4]
    related = ["write-tests"] if number % 2 else []
    book = a_book(
        title=f"{slug} {number}",
        tags=tags,
        related=related,
        contributors=[{"handle": f"writer-{number % 2}"}],
        cost=f"{number} coins",
    )
    put(content, name, canonical(book, name))


def _delete_book(content: Path, slug: str, _number: int) -> None:
    (content / f"playbooks/{slug}.yaml").unlink(missing_ok=True)
    shutil.rmtree(content / f"runs/{slug}", ignore_errors=True)
    (content / f"lessons/about-{slug}.yaml").unlink(missing_ok=True)


def _put_lesson(content: Path, slug: str, number: int) -> None:
    if (content / f"playbooks/{slug}.yaml").exists():
        put(
            content,
            f"lessons/about-{slug}.yaml",
            LESSON.replace("fix-flaky-tests", slug).replace("The stress run", f"{slug} {number}"),
        )


def _put_run(content: Path, slug: str, number: int) -> None:
    if (content / f"playbooks/{slug}.yaml").exists():
        name = f"runs/{slug}/run-{number}.yaml"
        put(content, name, canonical(a_report(number % 20, book_version="0" * 12, playbook=slug), name))


def _withdraw_run(content: Path, slug: str, _number: int) -> None:
    for path in sorted(content.glob(f"runs/{slug}/*.yaml"))[:1]:
        path.write_text(path.read_text().replace("verified: true", "verified: true\nstatus: withdrawn"))


def _rename_agent(content: Path, _slug: str, number: int) -> None:
    path = content / "agents/cursor.yaml"
    path.write_text("\n".join([f"name: Cursor {number}", *path.read_text().splitlines()[1:]]) + "\n")


def _touch(content: Path, _slug: str, _number: int) -> None:
    (content / "playbooks/write-tests.yaml").touch()


def _replace_site(content: Path, _slug: str, number: int) -> None:
    path = content / "site.yaml"
    path.write_text("\n".join([f"title: Library {number % 2}", *path.read_text().splitlines()[1:]]) + "\n")


EDITS: tuple[Callable[[Path, str, int], None], ...] = (
    _put_book, _put_book, _delete_book, _put_lesson, _put_run, _withdraw_run, _rename_agent, _touch, _replace_site,
)  # fmt: skip
EDIT = st.tuples(st.sampled_from(EDITS), st.sampled_from(SLUGS), st.integers(0, 9))


@pytest.mark.slow
@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(edits=st.lists(st.tuples(st.lists(EDIT, min_size=1, max_size=3), st.integers(0, 2)), min_size=1, max_size=5))
def test_incremental_equals_cold(
    edits: list[tuple[list[tuple[Callable[[Path, str, int], None], str, int]], int]],
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        content = write_rich_content(folder)
        today = TODAY
        built(content, folder / "site")
        for together, days in edits:
            for edit, slug, number in together:
                edit(content, slug, number)
            today += timedelta(days=days * 100)
            built(content, folder / "site", today=today, pending={"write-tests": days} if days else {})
        built(content, folder / "cold", today=today, pending={"write-tests": days} if days else {})
        assert differences(folder / "site", folder / "cold") == []
