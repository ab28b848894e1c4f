"""The commands `playbooks review …`: the review agent, the editor's desk and publishing, from a terminal."""

from __future__ import annotations

from .group import review

__all__ = ["review"]
