"""The commands `playbooks review …`: the review agent, the commands of editors and publishing, from a terminal."""

from . import deciding
from .commands import review

__all__ = ["deciding", "review"]
