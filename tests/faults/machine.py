"""A process as on a machine of its own: `machine NAME MODULE ARGUMENTS…`, in new namespaces; used by `unshare`."""

from __future__ import annotations

import fcntl
import runpy
import socket
import struct
import sys

SIOCSIFFLAGS, UP_AND_RUNNING = 0x8914, 0x41


def main() -> None:
    """Give the machine its name and its loopback, and run the module."""
    name, module, *arguments = sys.argv[1:]
    socket.sethostname(name)
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", UP_AND_RUNNING))
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
