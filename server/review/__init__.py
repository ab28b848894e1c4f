"""The commands `playbooks review …`: the review agent, the commands of editors and publishing, from a terminal."""

from . import deciding
from .group import review
from .publishing import publish_accepted, settle_built
from .screening import screen_queue

__all__ = ["deciding", "publish_accepted", "review", "screen_queue", "settle_built"]
