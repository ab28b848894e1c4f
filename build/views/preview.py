"""The page that a record would have: the same views and templates as a build, without writing anything."""

import re
from collections.abc import Callable, Mapping
from functools import cached_property

from library.records.collection import Library
from library.records.models import Agent, Lesson, Playbook, Task
from library.rules.related import Near

from ..facts import Facts
from .rendering import RenderEnvironment
from .routes import AGENT, LESSON, PAGE_ROUTES, PLAYBOOK, TASK
from .subjects import Subject


class _PreviewFacts(Facts):
    """Facts for the page of one record: neighbours are not worked out, because that takes the whole library."""

    def __init__(self, library: Library, record: Playbook | Lesson | Task | Agent) -> None:
        super().__init__(library)
        self._record = record

    def book(self, slug: str) -> Playbook:
        """The playbook that is looked at."""
        if not isinstance(self._record, Playbook):
            raise LookupError(slug)
        return self._record

    @cached_property
    def near(self) -> Mapping[str, Near]:
        """No computed neighbours."""
        return {}


_SCRIPT = re.compile(rb"<script [^>]*></script>\n?")
"""A preview is shown where no script may run, so it asks for none."""
_SUBJECTS: dict[type, Subject] = {Playbook: PLAYBOOK, Lesson: LESSON, Task: TASK, Agent: AGENT}
Adjust = Callable[[object], object]
"""Changes what a view is given."""


def preview(env: RenderEnvironment, library: Library, record: Playbook | Lesson | Task) -> bytes:
    """The HTML page of `record`, which is in `library`, without scripts."""
    return _SCRIPT.sub(b"", page_of(env, library, record))


def page_of(
    env: RenderEnvironment,
    library: Library,
    record: Playbook | Lesson | Task | Agent,
    adjusted: Adjust = lambda ready: ready,
) -> bytes:
    """The HTML page of `record`, which is in `library`."""
    subject = _SUBJECTS[type(record)]
    ready = adjusted(subject.ready(env, _PreviewFacts(library, record), record.slug))
    view = next(route.view for route in PAGE_ROUTES if route.subject is subject)
    body_of_page = view(env, ready) if view else None
    if body_of_page is None:
        raise LookupError(subject.name)
    return body_of_page
