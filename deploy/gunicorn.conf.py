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

wrong = []


def told(name, default, what, is_right):  # noqa: ANN001, ANN201 - gunicorn reads this file, mypy does not
    """A setting, which must be `what` it may be."""
    value = os.environ.get(name, default)
    if not is_right(value):
        wrong.append(f"{name} is {value!r}; it must be {what}")
        return default
    return value


def number(name, default, most):  # noqa: ANN001, ANN201 - as above
    """A whole number from 1."""
    return int(told(name, default, f"a whole number from 1 to {most}", lambda value: _is_number(value, 1, most)))


def _is_number(value, least, most):  # noqa: ANN001, ANN202 - as above
    return bool(re.fullmatch(r"[0-9]{1,9}", value)) and least <= int(value) <= most


def _is_place(value):  # noqa: ANN001, ANN202 - as above
    if value.startswith("unix:"):
        return value.removeprefix("unix:").startswith("/")
    host, colon, port = value.rpartition(":")
    name = re.fullmatch(r"\[[0-9A-Fa-f:.]+\]|[0-9A-Za-z.-]+", host)
    return bool(colon and name) and _is_number(port, 0, 65_535)


bind = told(
    "PLAYBOOKS_BIND",
    "unix:/run/playbooks/api.sock",
    "unix: and an absolute path, or an address, a colon and a port",
    _is_place,
)
workers = number("WEB_CONCURRENCY", "2", 1_000)
worker_class = "gthread"
threads = number("PLAYBOOKS_THREADS", "8", 1_000)
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

if told("PLAYBOOKS_METRICS", "", "0 or 1", lambda value: value in ("", "0", "1")) == "1":
    # All workers count together in files, which `playbooks metrics` reads.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(Path(os.environ.get("PLAYBOOKS_VAR", "var"), "metrics").absolute())
if wrong:
    raise SystemExit("\n".join(f"playbooks: {line}" for line in wrong))
# Our own look at the settings must count as many workers as there will be.
os.environ["WEB_CONCURRENCY"] = str(workers)


def on_starting(_server):  # noqa: ANN001, ANN201, D103 - a hook of gunicorn
    if counts := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        shutil.rmtree(counts, ignore_errors=True)
        Path(counts).mkdir(parents=True)


def child_exit(_server, worker):  # noqa: ANN001, ANN201, D103 - a hook of gunicorn
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client import multiprocess

        multiprocess.mark_process_dead(worker.pid)
