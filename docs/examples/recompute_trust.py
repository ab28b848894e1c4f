#!/usr/bin/env python3
"""Work out every verdict of a library again, from what it answers: recompute_trust.py https://library.example."""

import json
import sys
from collections import Counter, defaultdict
from datetime import date
from itertools import combinations
from time import sleep
from urllib.error import HTTPError
from urllib.request import urlopen


def get(address):
    while True:
        try:
            with urlopen(address) as answer:
                return json.load(answer)
        except HTTPError as error:
            if error.code != 429:
                raise
            sleep(int(error.headers["Retry-After"]))  # so many questions a second are answered


def days(later, earlier):
    return (date.fromisoformat(later[:10]) - date.fromisoformat(earlier[:10])).days


def apart(one, other):
    same = (one.get(name) and one.get(name) == other.get(name) for name in ("author", "site", "vendor", "incident"))
    return not any(same)


def verdict(told, keyed, sent):
    rule, good = told["rule"], ("worked", "worked_with_changes")
    accounts = [item for item in told["accounts"] if item.get("author") and item.get("outcome") in good]
    accounts = [item for item in accounts if item.get("account") in ("first-hand", "vendor")]
    level = "corroborated" if any(apart(*pair) for pair in combinations(accounts, 2)) else "reported"
    runs = [run for run in keyed if sent[run["reporter"]] >= rule["min_runs_of_reporter"]]
    runs = [run for run in runs if days(run["reported"], run["contributor_since"]) >= rule["min_handle_age_days"]]
    runs = sorted(runs, key=lambda run: (run["reported"], run["outcome"] == "failed"))
    worked = [run["outcome"] in good for run in runs]
    last, streak = worked[-rule["failing_window"] :], rule["failing_streak"]
    failing = len(last) >= streak and not any(last[-streak:])
    failing = failing or last.count(False) >= max(streak, last.count(True) + 1)
    trial = [test["outcome"] in good for test in told["tests"] if test.get("arm")]
    trial = told["proven"] and len(trial) >= rule["trial_runs"] and sum(trial) >= rule["trial_worked"]
    tested = any(test["outcome"] in good for test in told["tests"] if not test.get("arm"))
    if not failing and (tested or trial or any(worked)):
        recent = [run for run in runs if days(told["day"], run["reported"]) <= rule["confirm_window_days"]]
        held = [run["reporter"] for run in recent if run["outcome"] in good]
        many = len(set(held)) >= rule["confirm_reporters"]
        level = "confirmed" if many and 100 * len(held) >= rule["confirm_share_percent"] * len(recent) else "tested"
    return level, failing


def main(base):
    keyed, sent, at = defaultdict(list), Counter(), get(f"{base}/runs")["next"]
    while at:  # every report that was ever approved, by months, the newest first
        page = get(at)
        for run in page["items"]:
            if run.get("verified") and run.get("reporter") and run.get("contributor_since"):
                keyed[run["playbook"], run["playbook_version"]].append(run)
                sent[run["reporter"]] += 1
        at = page["next"]
    differing = 0
    for book in get(f"{base}/playbooks")["items"]:
        told = get(f"{base}/playbooks/{book['slug']}/trust")
        found = verdict(told, keyed[told["playbook"], told["version"]], sent)
        same = found == (told["trust"], told["newly_failing"])
        differing += not same
        print(book["slug"], *found, "as told" if same else "OTHERWISE THAN TOLD")
    return differing


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1].rstrip("/") + "/api/v1"), 99))
