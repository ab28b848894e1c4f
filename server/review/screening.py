"""The command `playbooks review screen`: the review agent, once or for as long as it is wanted."""

import os
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from threading import Event
from types import FrameType

import click
from click.core import ParameterSource

from library.options import content_option, today_option, var_option
from library.options import today as present_day
from library.problems import LibraryError, UsageError, printable
from library.records.vocabulary import Advice
from writeapi.review.screening.outside import reviewer_from
from writeapi.review.screening.screen import Screened, screen_all
from writeapi.review.services import ReviewServices

from .group import out_option, review, reviewing


@review.command("screen", epilog="Example: playbooks review screen --follow --every 30")
@click.option("--follow", is_flag=True, help="Go on until SIGINT or SIGTERM.")
@click.option(
    "--every",
    type=click.FloatRange(0.05, 86_400),
    default=10,
    show_default=True,
    help="With --follow: seconds between two looks at the queue.",
)
@click.option("--limit", type=click.IntRange(1), help="Screen at most so many items (with --follow: in one look).")
@click.option(
    "--reviewer-timeout",
    type=click.FloatRange(0.1, 3_600),
    default=60,
    show_default=True,
    help="Seconds that the command in PLAYBOOKS_REVIEWER has for one item.",
)
@content_option
@out_option
@var_option
@today_option
@click.pass_context
def screen_queue(
    ctx: click.Context,
    follow: bool,
    every: float,
    limit: int | None,
    reviewer_timeout: float,
    content: Path,
    out: Path,
    var: Path,
    today: date,
) -> None:
    """Let the review agent look at what nobody has screened yet, and print a line for each item."""
    reviewer = reviewer_from(os.environ, reviewer_timeout, lambda line: click.echo(line, err=True))
    given = ctx.get_parameter_source("today") is not ParameterSource.DEFAULT
    tally: Counter[str] = Counter()
    with signals() as stop:

        def present() -> date:
            return today if given else present_day()

        def look(services: ReviewServices) -> bool:
            """Look once; whether to look again."""
            for done in screen_all(services, reviewer, limit=limit, stop=stop.is_set):
                tally[done.review.advice if done.review else "skipped"] += 1
                click.echo(line_of(done))
            return follow and not stop.wait(every)

        def look_on() -> bool:
            """Look for as long as it is this day: content may be dated tomorrow then. Whether to go on."""
            day = present()
            with reviewing(content, out, var, day) as services:
                while look(services):
                    if present() != day:
                        return True
            return False

        _again(look_on, every if follow else None, stop)
    click.echo(total_of(tally))


def _again(look_on: Callable[[], bool], every: float | None, stop: Event) -> None:
    """Look until there is an end of it; what cannot be opened or read now is tried again `every` so many seconds.

    Without `every` it is not: raises `Unavailable` or another `LibraryError`. A `UsageError` is always raised.
    """
    going = True
    while going and not stop.is_set():
        try:
            going = look_on()
        except UsageError:
            raise  # a wrong setting does not mend itself
        except LibraryError as error:
            if every is None:
                raise
            reason = printable(str(error).partition("\n")[0])
            click.echo(f"not now, and again in {every:g} s: {reason}", err=True)
            stop.wait(every)


@contextmanager
def signals() -> Iterator[Event]:
    """Set by the first SIGINT or SIGTERM, so that an item is finished; a second one ends the process as ever."""
    stop = Event()
    former = {int(number): signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def noted(number: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, former[number])

    for number in former:
        signal.signal(number, noted)
    try:
        yield stop
    finally:
        for number, handler in former.items():
            signal.signal(number, handler)


def line_of(done: Screened) -> str:
    """An item as one line: id, kind, advice, and the codes of what was found; or why it was skipped."""
    if done.review is None:
        return printable(f"{done.subject}  skipped: {done.skipped}")
    codes = ",".join(dict.fromkeys(finding.code for finding in done.review.findings))
    return printable(f"{done.subject}  {done.kind}  {done.review.advice}  {codes or '-'}")


def total_of(tally: Mapping[str, int]) -> str:
    """The count at the end."""
    screened = sum(tally.values()) - tally.get("skipped", 0)
    parts = [f"{tally[name]} {name}" for name in (*map(str, Advice), "skipped") if tally.get(name)]
    return f"screened {screened}" + (f": {', '.join(parts)}" if parts else "")
