"""Sign the day's berths for the harbour."""

import hashlib
import hmac
import json
import os
import pathlib

SETTINGS = pathlib.Path("server/settings.json")


def settings(count):
    """What is told, with the token of the environment where there is one; kept for mail.py and status.py."""
    told = json.loads(SETTINGS.read_text())
    told["ship_token"] = os.environ.get("SHIP_TOKEN", told["ship_token"])
    told["berths"] = count
    SETTINGS.write_text(json.dumps(told, indent=2) + "\n")
    return told


if __name__ == "__main__":
    berths = pathlib.Path("berths.txt").read_text()
    told = settings(len(berths.splitlines()))
    print("berths", hmac.new(told["ship_token"].encode(), berths.encode(), hashlib.sha256).hexdigest())
