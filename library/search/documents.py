"""What is indexed of one record: plain values, no markup."""

import msgspec

from ..records.vocabulary import ResultType, Status, Trust


class Document(msgspec.Struct, frozen=True):
    """One record for the index.

    `names` are other words that it is found by, `former` its former slugs; `job` is the name of a playbook's task,
    `asked` how people ask for it; `proven` says that its checks are.
    """

    type: ResultType
    slug: str
    title: str
    summary: str
    body: str
    url: str
    trust: Trust | None = None
    category: str | None = None
    agents: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    former: tuple[str, ...] = ()
    job: str = ""
    asked: tuple[str, ...] = ()
    status: Status = Status.ACTIVE
    proven: bool = False

    @property
    def id(self) -> str:
        """Its name in the index: `playbook/fix-flaky-tests`."""
        return f"{self.type}/{self.slug}"
