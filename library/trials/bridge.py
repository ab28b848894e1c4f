"""Runs in the sandbox, by itself: the loopback's port leads to the socket, behind which the API is."""

import socket
import sys
import threading
from contextlib import suppress


def pump(source: socket.socket, target: socket.socket) -> None:
    """Hand on what comes, to its end."""
    with suppress(OSError):
        while part := source.recv(65536):
            target.sendall(part)
    with suppress(OSError):
        target.shutdown(socket.SHUT_WR)


def main(path: str, port: int) -> None:
    """Serve until the sandbox ends."""
    listener = socket.create_server(("127.0.0.1", port))
    while True:
        inner, _ = listener.accept()
        outer = socket.socket(socket.AF_UNIX)
        outer.connect(path)
        for pair in ((inner, outer), (outer, inner)):
            threading.Thread(target=pump, args=pair, daemon=True).start()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
