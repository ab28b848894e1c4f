"""The live part behind nginx: `gunicorn --config deploy/gunicorn.conf.py 'server.wsgi:application()'`."""

import os

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
# What gunicorn says goes through our form of logs: of a bad request it would repeat the bytes and the address.
logconfig_dict = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"trouble": {"()": "writeapi.logs.Trouble"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "trouble", "stream": "ext://sys.stderr"}},
    "root": {"level": "WARNING", "handlers": []},
    "loggers": {"gunicorn.error": {"level": "INFO", "handlers": ["stderr"], "propagate": False}},
}
