"""The commands: python3 -m shop COMMAND ORDERS.json"""

import json
import sys

from shop import report

COMMANDS = {
    "by-day": ("what was sold, by day", report.by_day),
    "by-country": ("what was sold, by country", report.by_country),
    "busiest": ("the day with the largest sum", report.busiest),
}


def main(words):
    """Run one command; 2 for an unknown one."""
    if len(words) != 2 or words[0] not in COMMANDS:
        return 2
    with open(words[1]) as orders:
        print(json.dumps(COMMANDS[words[0]][1](json.load(orders))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
