"""A connection for each use."""

from contextlib import contextmanager

from board.database import connect


class SimplePool:
    def __init__(self, path):
        self.path = path

    @contextmanager
    def lend(self):
        db = self.take()
        yield db
        self.give(db)

    def take(self):
        return connect(self.path)

    def give(self, db):
        db.close()

    def stats(self):
        return "in use: 0"
