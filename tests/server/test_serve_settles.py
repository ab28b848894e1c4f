"""`playbooks serve` notes at its start what was accepted and is in the site that it just built."""

from __future__ import annotations

import signal
from datetime import UTC, datetime
from pathlib import Path

from tests import calls
from tests.builders import write_content
from tests.server.test_serve import start
from tests.writeapi.review.outgoing import LESSON, a_lesson_text, accepted
from writeapi.store import Store


def test_what_was_written_is_published_at_the_next_start(tmp_path: Path) -> None:
    content = write_content(tmp_path, {LESSON: a_lesson_text()})
    (tmp_path / "var").mkdir()
    store = Store(f"sqlite:///{tmp_path / 'var/queue.db'}", clock=lambda: datetime.now(UTC))
    store.migrate()
    name = accepted(store)
    assert store.written(store.outbox(), "content")
    process, address = start(content, tmp_path / "out")
    try:
        answer = calls.get(f"{address}/api/v1/submissions/{name}").json()
        assert (answer["status"], answer["place"]) == ("published", f"{address}/lessons/clean-runs-lie/")
        assert answer["history"][-1]["by"] == "publisher"
        assert calls.get(answer["place"]).status_code == 200
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        store.close()
