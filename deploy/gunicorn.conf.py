"""The live part behind nginx: `gunicorn --config deploy/gunicorn.conf.py 'server.wsgi:application()'`."""

import json
import logging
import os
import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

bind = os.environ.get("PLAYBOOKS_BIND", "unix:/run/playbooks/api.sock")
workers = int(os.environ.get("WEB_CONCURRENCY", "2"))
worker_class = "gthread"
threads = int(os.environ.get("PLAYBOOKS_THREADS", "8"))
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

if os.environ.get("PLAYBOOKS_METRICS", "") not in ("", "0"):
    # All workers count together in files, which `playbooks metrics` reads.
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(Path(os.environ.get("PLAYBOOKS_VAR", "var"), "metrics").absolute())


def on_starting(_server):  # noqa: ANN001, ANN201, D103 - a hook of gunicorn
    if counts := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        shutil.rmtree(counts, ignore_errors=True)
        Path(counts).mkdir(parents=True)


def child_exit(_server, worker):  # noqa: ANN001, ANN201, D103 - a hook of gunicorn
    if os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        from prometheus_client import multiprocess  # noqa: PLC0415 - only where workers count

        multiprocess.mark_process_dead(worker.pid)
