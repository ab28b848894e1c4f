"""How many berths the last start had."""

import json
import pathlib

if __name__ == "__main__":
    print(json.loads(pathlib.Path("server/settings.json").read_text())["berths"])
