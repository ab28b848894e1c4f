"""Where connections come from."""

from board.pools.bounded import BoundedPool
from board.pools.simple import SimplePool


def pool_for(settings, path):
    if settings["pool"] == "bounded":
        return BoundedPool(path, settings["connections"], settings["wait"])
    return SimplePool(path)
