"""A few connections that stay open and are lent in turn: opening one for each request was slow on the old laptop."""

import queue
from contextlib import contextmanager

from board.database import connect
from board.errors import Busy


class BoundedPool:
    def __init__(self, path, connections, wait):
        self.size, self.wait = connections, wait
        self.free = queue.LifoQueue()
        for _ in range(connections):
            self.free.put(connect(path))

    @contextmanager
    def lend(self):
        """A connection for a block; who writes in it commits in it."""
        db = self.take()
        yield db
        self.give(db)

    def take(self):
        try:
            return self.free.get(timeout=self.wait)
        except queue.Empty:
            raise Busy from None

    def give(self, db):
        self.free.put(db)

    def stats(self):
        return f"in use: {self.size - self.free.qsize()}"
