"""The settings of gunicorn are looked at, and its master loads nothing of ours: a reload must load the new version."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
OURS = ("writeapi", "server", "library", "build", "mcpserver", "cli", "flask", "sqlalchemy")
SAYS = """
import logging.config, runpy, sys
told = runpy.run_path("deploy/gunicorn.conf.py")["logconfig_dict"]
logging.config.dictConfig(told)
say = logging.getLogger("gunicorn.error").info
say("Listening at: %s", "there")
print([name for name in sys.argv[1:] if name in sys.modules])
import writeapi.logs
say("Invalid request from ip=%s: %s", "192.0.2.7", "what was sent")
"""


def test_the_master_loads_nothing_of_ours_and_workers_repeat_nothing_that_was_sent() -> None:
    command = [sys.executable, "-W", "ignore", "-c", SAYS, *OURS]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "[]\n"
    master, worker = map(json.loads, done.stderr.splitlines())
    assert (master["event"], master["level"], master["logger"]) == ("Listening at: there", "info", "gunicorn.error")
    assert worker["event"] == "Invalid request from ip=%s: %s"
    assert master.keys() == worker.keys()


def checked(**settings: str) -> subprocess.CompletedProcess[str]:
    """What the file says of these settings when Python runs it, as the unit does before it starts gunicorn."""
    plain = {name: value for name, value in os.environ.items() if not name.startswith(("PLAYBOOKS_", "WEB_"))}
    command = [sys.executable, "deploy/gunicorn.conf.py"]
    return subprocess.run(
        command, cwd=PROJECT, env={**plain, **settings}, capture_output=True, text=True, check=False, timeout=60
    )


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("WEB_CONCURRENCY", value) for value in ("x", "0", "", "-1", "1.5", "1001", "٣")),
        ("PLAYBOOKS_THREADS", "x"),
        ("PLAYBOOKS_THREADS", "0"),
        *(("PLAYBOOKS_BIND", value) for value in ("", "8001", "unix:api.sock", "127.0.0.1:port", "127.0.0.1:70000")),
        ("PLAYBOOKS_METRICS", "yes"),
    ],
)
def test_a_setting_that_is_none_is_named_with_what_it_may_be(name: str, value: str) -> None:
    refused = checked(**{name: value})
    [line] = refused.stderr.splitlines()
    assert refused.returncode == 1
    assert line.startswith(f"playbooks: {name} is {value!r}; it must be ")


def test_all_settings_that_are_none_are_named_at_once() -> None:
    refused = checked(WEB_CONCURRENCY="0", PLAYBOOKS_THREADS="x", PLAYBOOKS_BIND="nowhere", PLAYBOOKS_METRICS="2")
    assert len(refused.stderr.splitlines()) == 4


@pytest.mark.parametrize("place", ["unix:/run/api.sock", "127.0.0.1:8001", "[::1]:8001", "localhost:0"])
def test_settings_that_are_right_are_taken(place: str) -> None:
    fine = checked(WEB_CONCURRENCY="4", PLAYBOOKS_THREADS="16", PLAYBOOKS_METRICS="0", PLAYBOOKS_BIND=place)
    assert (fine.returncode, fine.stderr) == (0, "")


def test_gunicorn_does_not_start_with_no_workers() -> None:
    command = [
        sys.executable,
        "-m",
        "gunicorn",
        "--config",
        "deploy/gunicorn.conf.py",
        "playbook_library:application()",
    ]
    told = {**os.environ, "WEB_CONCURRENCY": "0"}
    done = subprocess.run(command, cwd=PROJECT, env=told, capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (
        1,
        "playbooks: WEB_CONCURRENCY is '0'; it must be a whole number from 1 to 1000\n",
    )


def test_a_container_and_a_unit_look_at_the_settings_first() -> None:
    for file in ("Dockerfile", "systemd/playbooks-api.service"):
        text = (PROJECT / "deploy" / file).read_text()
        looked, started = re.search(r"python \S*gunicorn\.conf\.py", text), re.search("gunicorn --config", text)
        assert looked, file
        assert started, file
        assert looked.start() < started.start(), file
