"""What a server says when it starts, and the settings with which it does not: all of them, at once."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from library.problems import UsageError
from server.environment import mcp_hosts, strict_transport
from server.queue import open_queue, start_report
from server.wsgi import REFUSED, application

HTTPS = "https://playbooks.example"
SECRET = "0123456789abcdef" * 2


def problems(tmp_path: Path, site_url: str = "http://127.0.0.1:8000", **settings: str) -> list[str]:
    """What a server behind gunicorn says of these settings."""
    try:
        open_queue(settings, site_url, tmp_path, later=True)[1].close()
    except UsageError as error:
        return str(error).splitlines()
    return []


def test_a_start_loads_what_it_answers_with_and_no_tool_of_migrations(tmp_path: Path) -> None:
    """MCP is among what it answers, about 500 ms of a start of 2 s: the first agent does not wait for it.

    Alembic is 160 ms, for a database whose tables lack a column.
    """
    program = (
        "import sys; from pathlib import Path; from server import app, commands, wsgi;"
        "from server.queue import open_queue;"
        f"open_queue({{}}, 'http://127.0.0.1:8000', Path({str(tmp_path)!r}))[1].ready();"
        "print(sorted({'alembic', 'psycopg', 'redis', 'pytest'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_everything_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    told = problems(
        tmp_path,
        HTTPS,
        PLAYBOOKS_LIMITS_URL="memory://",
        WEB_CONCURRENCY="4",
        PLAYBOOKS_SECRET="changeme",
        PLAYBOOKS_REDIS_GONE="shrug",
        PLAYBOOKS_DATABASE_URL="mysql://me:hidden@host/db",
        PLAYBOOKS_WRITE_LIMITS="many",
        PLAYBOOKS_LEAST_FREE_MIB="-1",
        PLAYBOOKS_HSTS="x",
        PLAYBOOKS_MCP_HOSTS="https://inner.example",
        PLAYBOOKS_HST="1",
        FLASK_DEBUG="1",
    )
    for word in (
        "PLAYBOOKS_LIMITS_URL begins with 'memory'",
        "PLAYBOOKS_SECRET can be guessed",
        "PLAYBOOKS_REDIS_GONE",
        "PLAYBOOKS_DATABASE_URL must begin",
        "PLAYBOOKS_WRITE_LIMITS is 'many'",
        "PLAYBOOKS_LEAST_FREE_MIB",
        "none is trusted",
        "PLAYBOOKS_HSTS is 'x'",
        "PLAYBOOKS_MCP_HOSTS holds",
        "PLAYBOOKS_HST is not read by anything; it looks like PLAYBOOKS_HSTS",
        "FLASK_DEBUG",
    ):
        assert sum(word in line for line in told) == 1, word
    assert len(told) == 11
    assert "hidden" not in " ".join(told)
    assert not list(tmp_path.glob("queue*")), "nothing was begun"


def test_https_only_is_said_for_this_name_or_for_all_below_it() -> None:
    told = {
        text: strict_transport({"PLAYBOOKS_HSTS": text}) for text in ("", "0", "300", "31536000; includeSubDomains")
    }
    assert list(told.values()) == ["", "", "max-age=300", "max-age=31536000; includeSubDomains"]
    for text in ("-1", "x", "300; preload", "300;", "99999999999999", "300\r\nX: y"):
        with pytest.raises(UsageError, match="PLAYBOOKS_HSTS is"):
            strict_transport({"PLAYBOOKS_HSTS": text})


@pytest.mark.parametrize(
    ("site_url", "settings", "refused"),
    [
        (HTTPS, {}, True),
        (HTTPS, {"PLAYBOOKS_TRUSTED_PROXIES": "0"}, False),
        (HTTPS, {"PLAYBOOKS_TRUSTED_PROXIES": "1"}, False),
        ("http://127.0.0.1:8000", {}, False),
        ("http://127.0.0.1:8000", {"PLAYBOOKS_BIND": "unix:/run/api.sock"}, True),
        ("http://127.0.0.1:8000", {"FLASK_DEBUG": "0"}, False),
        ("http://127.0.0.1:8000", {"PLAYBOOKS_LIMITS_URL": "memory://"}, True),
    ],
)
def test_pairs_that_are_wrong_together(tmp_path: Path, site_url: str, settings: dict[str, str], refused: bool) -> None:
    assert bool(problems(tmp_path, site_url, **settings)) is refused


def test_a_server_says_what_it_uses_and_no_secret(tmp_path: Path) -> None:
    environment = {"PLAYBOOKS_SECRET": SECRET, "PLAYBOOKS_LIMITS_URL": "redis://me:hidden@127.0.0.1:1/0"}
    settings, store = open_queue(environment, "http://127.0.0.1", tmp_path)
    told = "\n".join(start_report(settings, store, environment, tmp_path / "content", tmp_path / "site"))
    store.close()
    words = ["queue", "limits", "proxies", "workers", "secret", "content", "index"]
    assert re.findall(r"^  (\w+)", told, re.MULTILINE) == words
    assert "missing: searches are 503" in told
    assert f"content  missing at {tmp_path / 'content'}: at /review nothing can be decided" in told
    assert SECRET not in told
    assert "hidden" not in told


def test_a_site_that_is_missing_is_told_with_what_else_is_wrong(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        application({"PLAYBOOKS_SITE": str(tmp_path / "no"), "PLAYBOOKS_VAR": str(tmp_path), "PLAYBOOKS_HSTS": "x"})
    assert ended.value.code == REFUSED
    told = capsys.readouterr().err
    assert f"there is no built site at {tmp_path / 'no'}" in told
    assert "PLAYBOOKS_HSTS is 'x'" in told


def test_a_name_that_only_a_later_release_may_know_is_a_line_and_stops_nothing(tmp_path: Path) -> None:
    environment = {"PLAYBOOKS_COLOUR_OF_THE_SKY": "blue", "PLAYBOOKS_READ_LIMITS": "5", "PLAYBOOKS_LONG": "1"}
    settings, store = open_queue(environment, "http://127.0.0.1", tmp_path)
    told = list(start_report(settings, store, environment, tmp_path, tmp_path / "site"))
    store.close()
    assert [line for line in told if "unknown" in line] == [
        "  unknown  PLAYBOOKS_COLOUR_OF_THE_SKY is not read by anything",
        "  unknown  PLAYBOOKS_READ_LIMITS is not read by anything; the nearest is PLAYBOOKS_WRITE_LIMITS",
    ]


@pytest.mark.parametrize("wrong", ["http://inner.example", "inner.example:8002", "in/ner"])
def test_a_name_that_mcp_can_never_be_asked_by_is_refused(wrong: str) -> None:
    assert mcp_hosts({"PLAYBOOKS_MCP_HOSTS": "inner.example, fd00::1 [::2]"}) == ["inner.example", "fd00::1", "[::2]"]
    with pytest.raises(UsageError, match="without scheme or port") as refused:
        mcp_hosts({"PLAYBOOKS_MCP_HOSTS": f"inner.example {wrong}"})
    assert str(refused.value).startswith(f"PLAYBOOKS_MCP_HOSTS holds {wrong!r};")
