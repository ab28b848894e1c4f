"""Memory that was freed goes back to the system, where the system's library can be told so."""

import ctypes
import sys


def give_back() -> None:
    """After work with large arrays: glibc keeps what they took for the next ones, which never come."""
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # musl has none
        if trim:
            trim(0)
