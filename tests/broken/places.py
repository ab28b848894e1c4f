"""Files that lie where no content lies, under names that no record has, or that are no files at all."""

from __future__ import annotations

from tests.broken.case import Case, named

PLACES: tuple[Case, ...] = (
    Case("symlink", "tasks/symlink.yaml", b"", ("symlink 1:1",), link="fix-flaky-tests.yaml"),
    Case("symlink-of-a-folder", "runs/symlink-of-a-folder", b"", ("symlink 1:1",), link="../tasks"),
    Case("dangling-symlink", "lessons/dangling-symlink.yaml", b"", ("symlink 1:1",), link="/nowhere/at-all.yaml"),
    named("upper-case", "tasks/Upper.yaml", "file-name 1:1"),
    named("space", "tasks/two words.yaml", "file-name 1:1"),
    named("underscore", "tasks/two_words.yaml", "file-name 1:1"),
    named("newline-before-the-ending", "tasks/new\n.yaml", "file-name 1:1", shown="tasks/new\\n.yaml"),
    named("newline-at-the-end", "tasks/new.yaml\n", "not-content 1:1", shown="tasks/new.yaml\\n"),
    named("escape-in-a-name", "tasks/e\x1b[31m.yaml", "file-name 1:1", shown="tasks/e\\x1b[31m.yaml"),
    named("two-dots", "tasks/a..b.yaml", "file-name 1:1"),
    named("backslashes", "tasks/a\\..\\up.yaml", "file-name 1:1"),
    named("other-script", "tasks/тест.yaml", "file-name 1:1"),
    named("double-hyphen", "tasks/a--b.yaml", "file-name 1:1"),
    named("no-name", "tasks/-.yaml", "file-name 1:1"),
    named("too-long-name", f"tasks/{'a' * 65}.yaml", "file-name 1:1"),
    named("reserved-word", "tasks/full.yaml", "file-name 1:1", says=("reserved",)),
    named("yml", "tasks/short-ending.yml", "not-content 1:1", says=("name it short-ending.yaml",)),
    named("stray-file", "tasks/readme.md", "not-content 1:1", says=("move it",)),
    named("stray-file-at-the-top", "notes.txt", "not-content 1:1"),
    named("stray-folder", "drafts/draft.yaml", "not-content 1:1", shown="drafts"),
    named("folder-in-a-folder", "tasks/deeper/draft.yaml", "not-content 1:1", shown="tasks/deeper"),
    named("run-without-a-folder", "runs/loose.yaml", "not-content 1:1", says=("runs/<playbook>/<id>.yaml",)),
    named("run-in-a-folder-of-no-slug", "runs/Not_A_Slug/run.yaml", "not-content 1:1", shown="runs/Not_A_Slug"),
    named("folder-named-as-a-file", "agents/folder.yaml/inner.yaml", "not-content 1:1", shown="agents/folder.yaml"),
)
