"""What is indexed of one record: plain values, no markup."""

from __future__ import annotations

import msgspec

from ..vocabulary import ResultType, Trust


class Document(msgspec.Struct, frozen=True):
    """One record for the index. `last` puts it behind all others: it is not to be followed any more."""

    type: ResultType
    slug: str
    title: str
    summary: str
    body: str
    url: str
    trust: Trust | None = None
    category: str | None = None
    agents: tuple[str, ...] = ()
    last: bool = False

    @property
    def id(self) -> str:
        """Its name in the index: `playbook/fix-flaky-tests`."""
        return f"{self.type}/{self.slug}"
