"""The master of gunicorn loads nothing of ours: else a reload would go on with the version that it had loaded."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
