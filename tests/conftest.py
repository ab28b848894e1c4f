"""What all tests share: in CI the property tests try the same cases every time, elsewhere they go on looking."""

from __future__ import annotations

import os

from hypothesis import settings

settings.register_profile("ci", derandomize=True, print_blob=True)
if os.environ.get("CI"):
    settings.load_profile("ci")
