"""Write docs/commands.md from the commands that there are."""

import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from shop.__main__ import COMMANDS  # noqa: E402

lines = [f"# The {len(COMMANDS)} commands", ""]
lines += [f"- `{name}`: {what}" for name, (what, _) in sorted(COMMANDS.items())]
(ROOT / "docs/commands.md").write_text("\n".join(lines) + "\n")
