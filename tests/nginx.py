"""A real nginx for tests: its configuration made by the command, in a folder of its own, on free ports of loopback."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from server.deploy.commands import Deployment, files_for, write_all
from tests.faults.http_client import Address

_PATH = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin"])
NGINX = shutil.which("nginx", path=_PATH)
BROTLI = Path("/usr/lib/nginx/modules/ngx_http_brotli_static_module.so")
START_SECONDS = 60
needs_nginx = pytest.mark.skipif(
    NGINX is None or not BROTLI.exists(), reason="nginx or its brotli_static is not installed: nothing was served by it"
)


@dataclass
class Nginx:
    """A running nginx: where it answers, and what it wrote."""

    address: Address
    process: subprocess.Popen[bytes]
    folder: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.address.port}"

    def reload(self) -> None:
        """Read the configuration anew; workers that are answering end when they have."""
        self.process.send_signal(signal.SIGHUP)

    def workers(self) -> list[int]:
        """The process ids of its workers, as they are now."""
        number = self.process.pid
        return [int(child) for child in Path(f"/proc/{number}/task/{number}/children").read_text().split()]


@contextmanager
def nginx(
    told: Deployment,
    folder: Path,
    *,
    workers: int = 2,
    port: int = 0,
    further: str = "",
    logged: bool = True,
    budgets: int = 0,
) -> Iterator[Nginx]:
    """An nginx by the generated files, once it listens. `further` stands in its `http` block."""
    folder.mkdir(parents=True, exist_ok=True)
    if not port:
        with free_port() as port:  # noqa: PLR1704 - the one that is free, where none was given
            pass
    listen = f"127.0.0.1:{port}{' ssl' if told.listen[0].endswith(' ssl') else ''}"
    told = replace(told, folder=str(folder / "conf"), listen=(listen,), budgets=budgets)
    write_all(folder / "conf", files_for("nginx", told))
    (folder / "nginx.conf").write_text(_main(folder, workers, further, logged=logged))
    command = ["setpriv", "--pdeathsig=QUIT", str(NGINX), "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with (folder / "log").open("ab") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield _listening(Nginx(Address("127.0.0.1", port), process, folder))
    except BaseException:
        print((folder / "log").read_text(errors="replace")[-3_000:])  # noqa: T201 - pytest shows it with the failure
        raise
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


def _main(folder: Path, workers: int, further: str, *, logged: bool) -> str:
    """The main file: as the generated one, but in a folder, for whoever runs the tests."""
    temporary = "".join(
        f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    access = f"{folder}/access playbooks" if logged else "off"
    user = "user root;" if os.geteuid() == 0 else ""
    return (
        f"load_module {BROTLI}; {user} daemon off; pid {folder}/pid; worker_processes {workers};"
        f"error_log {folder}/log warn; worker_shutdown_timeout 20s; events {{ worker_connections 4096; }}"
        f"http {{ include {folder}/conf/playbooks.conf; access_log {access}; {temporary} {further} }}"
    )


@contextmanager
def free_port() -> Iterator[int]:
    """A port that nobody listens on; it is let go at the end."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        yield listener.getsockname()[1]


def _listening(started: Nginx) -> Nginx:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and started.process.poll() is None:
        with suppress(OSError), socket.create_connection(started.address, timeout=1):
            return started
        time.sleep(0.02)
    raise AssertionError("nginx did not start")
