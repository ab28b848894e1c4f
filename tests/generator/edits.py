"""Every kind of change that a library goes through, as small functions over a content folder in a git repository."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from build.pipeline import Resident
from build.reading import Sources
from build.settings import TEMPLATES, BuildReport, BuildSettings
from library.content.formatting import canonical
from library.content.yamlfile import parse
from library.records.vocabulary import Profile
from library.search.query import Question, SearchEngine
from tests.builders import TODAY, put
from tests.rich import a_report
from tests.trees import built, differences

QUESTIONS = ("tests", "flaky tests", "flakky", "edited 3", "write tests fo", "k8s", "review release", "the of", "alpha")


class NothingLeft(LookupError):
    """An edit would change a record of a kind of which earlier edits left none."""


class World:
    """A content folder under git, and what else a build is told. `folder` is empty but for the content."""

    def __init__(self, folder: Path, content: Path, *, jobs: int = 1) -> None:
        self.folder, self.content, self.jobs = folder, content, jobs
        self.templates = Path(shutil.copytree(TEMPLATES, folder / "templates"))
        self.today: date = TODAY
        self.pending: dict[str, int] = {}
        self.resident = Resident(Sources(content))
        self.commits = 0
        self.git("init", "-q", "-b", "main")
        self.commit("Begin")

    def git(self, *arguments: str) -> None:
        who = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER")
               for part, value in (("NAME", "ada-l"), ("EMAIL", "a@example.com"),
                                   ("DATE", f"{1_790_000_000 + self.commits * 60} +0000"))}  # fmt: skip
        environment = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        subprocess.run(["git", *arguments], cwd=self.content, env=environment, capture_output=True, check=True)

    def commit(self, message: str) -> None:
        self.commits += 1
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", message)

    def undo(self) -> None:
        """All that was not committed."""
        self.git("reset", "-q", "--hard")
        self.git("clean", "-fdq")

    def build(self, out: str) -> BuildReport:
        """A whole build, in this process."""
        return built(self.content, self.folder / out, self.today, pending=self.pending, templates=self.templates)

    def edit(self, out: str) -> BuildReport:
        """What a resident builder makes of the content as it is now; its first build is a whole one."""
        told = BuildSettings(
            self.content, self.folder / out, self.today, self.jobs, pending=self.pending, templates=self.templates
        )
        return self.resident.build(replace(told, durable=False))

    def differences(self, one: str, other: str) -> list[str]:
        """The files that two sites do not have alike, and the questions that their indexes answer otherwise."""
        left, right = self.answers(one), self.answers(other)
        told = [f"? {text}" for text, found in left.items() if found != right[text]]
        return differences(self.folder / one, self.folder / other) + told

    def answers(self, out: str) -> dict[str, Any]:
        engine = SearchEngine((self.folder / out).resolve().parent)
        return {
            f"{profile}: {text}": engine.answer(Question(text, profile=profile, limit=50)).model_dump()
            for text in QUESTIONS
            for profile in Profile
        }

    def slug(self, folder: str, number: int) -> str:
        """One of the records of a folder."""
        found = sorted(path.stem for path in (self.content / folder).glob("*.yaml"))
        if not found:
            raise NothingLeft(folder)
        return found[number * 7 % len(found)]

    def read(self, name: str) -> dict[str, Any]:
        value = parse((self.content / name).read_text(encoding="utf-8"), name).value
        assert isinstance(value, dict)
        return value

    def put(self, name: str, value: dict[str, Any]) -> None:
        put(self.content, name, canonical(value, name))

    def change(self, folder: str, slug: str, **changes: Any) -> None:
        """Put other values into a record; None takes one out."""
        name = f"{folder}/{slug}.yaml"
        value = {**self.read(name), **changes}
        self.put(name, {key: item for key, item in value.items() if item is not None})

    def replace(self, line: str, other: str) -> None:
        """A line, whatever stands before it, in every content file that has it; with an empty `other` it goes."""
        wanted = re.compile(rf"^([ ]*(?:- |[a-z_]+: )){re.escape(line)}\n", re.MULTILINE)
        for path in sorted(self.content.rglob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            if line in text and wanted.search(text):
                path.write_text(wanted.sub(rf"\g<1>{other}\n" if other else "", text), encoding="utf-8")


def change_a_playbook(world: World, number: int) -> None:
    slug = world.slug("playbooks", number)
    other = world.read(f"playbooks/{world.slug('playbooks', number + 1)}.yaml")
    world.change(
        "playbooks",
        slug,
        cost=f"{number} coins",
        tags=[*other.get("tags", [])][: number % 3 + 1] or None,
        related=[found for found in [world.slug("playbooks", number + 2)] if found != slug] or None,
        contributors=[{"handle": f"writer-{number % 2}"}],
    )


def retitle_a_playbook(world: World, number: int) -> None:
    world.change("playbooks", world.slug("playbooks", number), title=f"Known as {number}")


def commit_a_change(world: World, number: int) -> None:
    world.change("playbooks", world.slug("playbooks", number), time=f"{number} hours")
    world.commit(f"Say that it takes {number} hours")


def add_a_playbook(world: World, number: int) -> None:
    slug = ("alpha", "beta", "gamma")[number % 3]
    value = world.read(f"playbooks/{world.slug('playbooks', number)}.yaml")
    for key in ("aliases", "related", "evidence", "tested", "asked", "status", "status_reason", "replaced_by"):
        value.pop(key, None)
    world.put(f"playbooks/{slug}.yaml", {**value, "title": f"Edited {number} {slug}"})


def rename_a_playbook(world: World, number: int) -> None:
    slug = world.slug("playbooks", number)
    name = f"{slug}-{number}"[-60:].strip("-")
    (world.content / f"playbooks/{slug}.yaml").rename(world.content / f"playbooks/{name}.yaml")
    if (world.content / "runs" / slug).exists():
        (world.content / "runs" / slug).rename(world.content / "runs" / name)
    world.replace(slug, name)
    value = world.read(f"playbooks/{name}.yaml")
    task = value.get("task")  # an edit just before may have taken it out
    if task == name and not (world.content / f"tasks/{name}.yaml").exists():
        task = slug
    world.change("playbooks", name, task=task, aliases=[*value.get("aliases", []), slug])


def delete_a_playbook(world: World, number: int) -> None:
    slug = world.slug("playbooks", number)
    (world.content / f"playbooks/{slug}.yaml").unlink()
    shutil.rmtree(world.content / "runs" / slug, ignore_errors=True)
    world.replace(slug, "")


def end_a_playbook(world: World, number: int) -> None:
    status = ("deprecated", "withdrawn", None)[number % 3]
    reason = f"For the reason {number}." if status else None
    world.change("playbooks", world.slug("playbooks", number), status=status, status_reason=reason, replaced_by=None)


def put_a_lesson(world: World, number: int) -> None:
    value = world.read(f"lessons/{world.slug('lessons', 0)}.yaml")
    about = [world.slug("playbooks", number)]
    changed = {**value, "title": f"Learnt {number}", "playbooks": about}
    world.put(f"lessons/learnt-{number % 3}.yaml", changed)


def delete_a_lesson(world: World, number: int) -> None:
    slug = world.slug("lessons", number)
    (world.content / f"lessons/{slug}.yaml").unlink()
    world.replace(slug, "")


def put_a_run(world: World, number: int) -> None:
    slug = world.slug("playbooks", number)
    agent = world.slug("agents", number)
    name = f"runs/{slug}/edited-{number}.yaml"
    world.put(name, a_report(number % 20, book_version="0" * 12, playbook=slug, agent=agent))


def withdraw_a_run(world: World, number: int) -> None:
    runs = sorted(world.content.glob("runs/*/*.yaml"))
    if runs:
        path = runs[number * 7 % len(runs)].relative_to(world.content)
        world.change(str(path.parent), path.stem, status="withdrawn")


def rename_an_agent(world: World, number: int) -> None:
    world.change("agents", world.slug("agents", number), name=f"Agent {number}")


def add_an_agent(world: World, number: int) -> None:
    value = world.read(f"agents/{world.slug('agents', number)}.yaml")
    world.put(f"agents/edited-{number % 2}.yaml", {**value, "name": f"Newcomer {number}"})


def change_synonyms(world: World, number: int) -> None:
    world.put("synonyms.yaml", {"synonyms": [{"words": ["k8s"], "mean": [("tests", "write", "review")[number % 3]]}]})


def rename_a_category(world: World, number: int) -> None:
    known = world.read("categories.yaml")["categories"]
    known[number % len(known)]["name"] = f"Category {number}"
    world.put("categories.yaml", {"categories": known})


def add_a_category(world: World, number: int) -> None:
    known = [item for item in world.read("categories.yaml")["categories"] if item["slug"] != "edited"]
    added = {"slug": "edited", "name": f"Edited {number}", "summary": "What was added."}
    world.put("categories.yaml", {"categories": [*known, added]})


def move_a_category(world: World, number: int) -> None:
    """Nothing but the order is another."""
    first, *others = world.read("categories.yaml")["categories"]
    world.put("categories.yaml", {"categories": [*others, first] if number % 2 else [*reversed(others), first]})


def draft_a_record(world: World, number: int) -> None:
    """A published record becomes a draft, a draft is published."""
    folder = ("playbooks", "lessons")[number % 2]
    slug = world.slug(folder, number)
    now = world.read(f"{folder}/{slug}.yaml").get("status")
    if now in (None, "draft"):
        value = {**world.read(f"{folder}/{slug}.yaml"), "status": None if now else "draft"}
        world.put(f"{folder}/{slug}.yaml", {key: item for key, item in value.items() if item is not None})


def change_a_task(world: World, number: int) -> None:
    category = world.read("categories.yaml")["categories"][number % 2 - 1]["slug"]
    world.change("tasks", world.slug("tasks", number), name=f"Do number {number}", category=category)


def put_a_wanted_task(world: World, number: int) -> None:
    path = world.content / f"tasks/edited-{number % 2}.yaml"
    if path.exists():
        path.unlink()
    else:
        category = world.read("categories.yaml")["categories"][0]["slug"]
        task = {"name": f"Wanted {number}", "category": category, "summary": "It is wanted.", "wanted": "true"}
        world.put(f"tasks/{path.name}", task)


def change_a_template(world: World, number: int) -> None:
    with (world.templates / "base.html").open("a", encoding="utf-8") as file:
        file.write(f"<!-- {number} -->")


def change_a_setting(world: World, number: int) -> None:
    world.put("site.yaml", {**world.read("site.yaml"), "title": f"Library {number}"})


def change_the_theme(world: World, number: int) -> None:
    picture = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {number + 1} 1"/>'
    put(world.content.parent / "theme", "assets/own.svg", picture)


def let_time_pass(world: World, number: int) -> None:
    world.today += timedelta(days=number * 20 + 1)


def count_pending(world: World, number: int) -> None:
    world.pending = {world.slug("playbooks", number): number} if number else {}


def rewrite_history(world: World, number: int) -> None:
    world.git("commit", "-q", "--amend", "--allow-empty", "-m", f"Another word for it: {number}")


def touch(world: World, number: int) -> None:
    (world.content / f"playbooks/{world.slug('playbooks', number)}.yaml").touch()


Edit = Callable[[World, int], None]
EDITS: tuple[Edit, ...] = (
    change_a_playbook, retitle_a_playbook, commit_a_change,
    add_a_playbook, rename_a_playbook, delete_a_playbook, end_a_playbook, put_a_lesson,
    delete_a_lesson, put_a_run, withdraw_a_run, rename_an_agent, add_an_agent, change_synonyms, rename_a_category,
    add_a_category, move_a_category, draft_a_record, change_a_task, put_a_wanted_task, change_a_template,
    change_a_setting, change_the_theme, let_time_pass, count_pending, rewrite_history, touch,
)  # fmt: skip
