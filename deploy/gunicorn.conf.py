"""The live part behind nginx: `gunicorn --config deploy/gunicorn.conf.py 'playbook_library:application()'`.

Run by Python it only says what is wrong with the settings that are read here: gunicorn itself looks at
`WEB_CONCURRENCY` before it reads this, and ends with a traceback at one that is no number.
"""

import json
import logging
import os
import re
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path
from threading import Barrier

wrong = []


def told(name, default, pattern, what):  # noqa: ANN001, ANN201 - gunicorn reads this file, mypy does not
    """A setting, which must be `what` it may be."""
    value = os.environ.get(name, default)
    if not re.fullmatch(pattern, value):
        wrong.append(f"{name} is {value!r}; it must be {what}")
        return default
    return value


PLACE = r"unix:/.+|(?:[0-9A-Za-z.-]+|\[[0-9A-Fa-f:.]+\]):(?:[0-5]?[0-9]{1,4}|6[0-5][0-9]{3})"
NUMBER = "[1-9][0-9]{0,2}|1000", "a whole number from 1 to 1000"
bind = told(
    "PLAYBOOKS_BIND",
    "unix:/run/playbooks/api.sock",
    PLACE,
    "unix: and an absolute path, or an address, a colon and a port",
)
workers = int(told("WEB_CONCURRENCY", "2", *NUMBER))
threads = int(told("PLAYBOOKS_THREADS", "8", *NUMBER))
worker_class = "gthread"
timeout = 60
# On HUP and TERM the requests that are being answered are answered.
graceful_timeout = 30
keepalive = 0  # nginx opens a connection for each request: none is closed while one is on its way
limit_request_line = 0  # nginx bounds it (16 KiB), and says so in the one shape of errors
control_socket_disable = True


class Told(logging.Formatter):
    """What gunicorn says, in our form of logs: of a bad request it would repeat the bytes and the address.

    The master reads no request, and loads nothing of ours: on HUP its workers would go on with what it had loaded.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        if trouble := getattr(sys.modules.get("writeapi.logs"), "Trouble", None):
            return str(trouble().format(record))
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname.lower(), "logger": record.name, "id": ""}
        error = {"error": self.formatException(record.exc_info)} if record.exc_info else {}
        return json.dumps({**line, "event": record.getMessage(), **error})


logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"trouble": {"()": Told}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "trouble", "stream": "ext://sys.stderr"}},
    "root": {"level": "WARNING", "handlers": []},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False}},
}

if told("PLAYBOOKS_METRICS", "", "[01]?", "0 or 1") == "1":
    # All workers count together in files, which `playbooks metrics` reads.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(Path(os.environ.get("PLAYBOOKS_VAR", "var"), "metrics").absolute())
if wrong:
    raise SystemExit("\n".join(f"playbooks: {line}" for line in wrong))
# Our own look at the settings must count as many workers as there will be.
os.environ["WEB_CONCURRENCY"] = str(workers)
os.environ["PLAYBOOKS_THREADS"] = str(threads)  # a quarter of them is kept for writes


def on_starting(_server):  # noqa: ANN001, ANN201, D103 - a hook of gunicorn
    if counts := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        shutil.rmtree(counts, ignore_errors=True)
        Path(counts).mkdir(parents=True)


def post_worker_init(worker):  # noqa: ANN001, ANN201, D103 - a hook of gunicorn
    # All threads begin now: where there is no memory for one later, what waits for it is never answered.
    together = Barrier(worker.cfg.threads)
    for _ in range(worker.cfg.threads):
        worker.tpool.submit(together.wait)


def child_exit(_server, worker):  # noqa: ANN001, ANN201, D103 - a hook of gunicorn
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)
