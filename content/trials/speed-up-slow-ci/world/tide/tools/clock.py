"""What a thing takes, by the clock of the forge; nothing elsewhere."""

import json
import os
import pathlib


def spend(name):
    if "CI_CLOCK" not in os.environ:
        return 0
    seconds = json.loads(pathlib.Path(os.environ["CI_COSTS"]).read_text()).get(name, 5)
    with open(os.environ["CI_CLOCK"], "a") as clock:
        clock.write(f"{seconds}\n")
    return seconds
