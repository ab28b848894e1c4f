"""The worker in the store: which process has the lease, and what became of each of its jobs."""

from dataclasses import dataclass

from sqlalchemy import delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from .base import StorePart
from .schema import audit, jobs, leases

WORKER = "worker"
"""The lease of who does what follows from the queue."""


@dataclass(frozen=True, slots=True)
class JobRecord:
    """What became of a job: when it last ended, how often in a row it failed (0: it did not), and a sentence."""

    name: str
    ended: str
    failures: int
    said: str


class Jobs(StorePart):
    """One worker at a time, over processes and machines, and what all of them can read of it."""

    def lease(self, name: str, holder: str, seconds: int) -> bool:
        """Take or keep a lease for so long; False where another holder has it. It ends by itself."""
        now = self._now()
        free = (leases.c.holder == holder) | (leases.c.until <= now)
        row = {"holder": holder, "until": self._now(seconds=seconds)}
        with self._database.write() as connection:
            if connection.execute(update(leases).where(leases.c.name == name, free).values(**row)).rowcount:
                return True
            try:
                with connection.begin_nested():
                    connection.execute(insert(leases).values(name=name, **row))
            except IntegrityError:
                return False
            return True

    def release(self, name: str, holder: str) -> None:
        """Give a lease back before its time."""
        with self._database.write() as connection:
            connection.execute(delete(leases).where(leases.c.name == name, leases.c.holder == holder))

    def leased(self, name: str) -> str | None:
        """Who has a lease now."""
        wanted = select(leases.c.holder).where(leases.c.name == name, leases.c.until > self._now())
        return next((row.holder for row in self._rows(wanted)), None)

    def job_ended(self, name: str, said: str, *, failed: bool) -> JobRecord:
        """Note how a job ended; a failure counts on from the last one."""
        with self._database.write() as connection:
            before = connection.scalar(select(jobs.c.failures).where(jobs.c.name == name))
            row = {"ended": self._now(), "failures": (before or 0) + 1 if failed else 0, "said": said}
            change = insert(jobs).values(name=name) if before is None else update(jobs).where(jobs.c.name == name)
            connection.execute(change.values(**row))
        return self.jobs()[name]

    def jobs(self) -> dict[str, JobRecord]:
        """What became of every job that ever ran, by its name."""
        return {found.name: found for found in self._records(JobRecord, select(jobs).order_by(jobs.c.name))}

    def last_change(self) -> int:
        """A number that grows with everything that is sent, screened or decided."""
        [(number,)] = self._rows(select(func.max(audit.c.id)))
        return int(number or 0)
