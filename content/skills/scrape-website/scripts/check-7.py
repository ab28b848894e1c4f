"""Step 7: each address of the inventory is parsed, nothing there, or failed; and pages that change move to their proper list.

    check-7.py inventory.csv coverage.csv items.csv fetch.csv --parse 'python3 parse.py' --count 4180 \
        --captcha '<h1>Are you human?</h1>' --gone '<h1>Sold</h1>'

--found: a command that prints the addresses that lists and sitemap of the site give. --count: how many the site says that
there are. --captcha and --gone: a page of the site that asks for a human, and one that says that the thing is gone. In copies, a parsed page is replaced by a refusal, by nothing, and by each of these.
"""

import argparse
import subprocess

import saved

RESULTS = ("parsed", "nothing", "failed")


def account(told, inventory, coverage, items, fetched):
    listed = [row["address"] for row in coverage]
    for what, addresses in (("inventory.csv", inventory), ("coverage.csv", listed)):
        yield from (f"{address} is in {what} twice" for address in set(addresses) if addresses.count(address) > 1)
    yield from (f"{address} is in one of inventory and coverage alone" for address in set(inventory) ^ set(listed))
    if told.count is not None and len(set(inventory)) != told.count:
        yield f"the site has {told.count}, and the inventory {len(set(inventory))}"
    if told.found:
        there = set(subprocess.run(told.found, shell=True, capture_output=True, text=True, check=False).stdout.split())
        yield from (f"{address} is in one of inventory and site alone" for address in set(inventory) ^ there)
    answers, known = saved.last(fetched), {row["address"] for row in items}
    for row in coverage:
        status = answers.get(row["address"], {"status": ""})["status"]
        if row["result"] not in RESULTS or row["status"] != status or not (row["result"] == "parsed" or row["reason"].strip()):
            yield f"{row['address']}: {row['result']} {row['status']} {row['reason']}; answered {status or 'nothing'}"
        if (row["result"] == "parsed") != (row["address"] in known) or (row["result"] == "parsed" and status != "200"):
            yield f"{row['address']} is {row['result']}, answered {status}, and has {'a' if row['address'] in known else 'no'} row"
    yield from (f"{address} has a row, and is in no list" for address in known - set(listed))


def problems(told):
    inventory = [row["address"] for row in saved.rows(told.inventory, "address")]
    coverage = saved.rows(told.coverage, "address result status reason")
    fetched = saved.rows(told.fetched, "address status bytes sha256 file")
    yield from account(told, inventory, coverage, saved.rows(told.items, "address"), fetched)
    parsed = [row["address"] for row in coverage if row["result"] == "parsed"]
    answers = {"a refusal": (b"Forbidden", "403", ("failed",)), "an empty page": (b"", "200", ("failed", "nothing"))}
    if told.captcha:
        answers["a page that asks for a human"] = (told.captcha.encode(), "200", ("failed",))
    if told.gone:
        answers["a page of something gone"] = (told.gone.encode(), "200", ("nothing",))
    for place, (what, (body, status, results)) in enumerate(answers.items()):
        for address in parsed[place :: max(len(parsed) // 2, 1)]:
            with saved.copied():
                table = saved.rows(told.fetched, "address status")
                for row in (row for row in table if row["address"] == address and row["status"] == "200"):
                    saved.put(row, body, status)
                saved.write(told.fetched, table)
                saved.run(told.parse, offline=True)
                now = {row["address"]: row["result"] for row in saved.rows(told.coverage, "address result")}
                rest = {row["address"]: row["result"] for row in coverage} | {address: now.get(address)}
                if (
                    now.get(address) not in results
                    or now != rest
                    or address in {row["address"] for row in saved.rows(told.items, "address")}
                ):
                    yield f"{what} in place of {address} is {now.get(address)}"


def main():
    parser = argparse.ArgumentParser()
    for name in ("inventory", "coverage", "items", "fetched"):
        parser.add_argument(name)
    parser.add_argument("--parse", required=True)
    parser.add_argument("--count", type=int)
    for name in ("found", "captcha", "gone"):
        parser.add_argument(f"--{name}")
    saved.end(problems(parser.parse_args()), "each address is in one list, and in the right one")


if __name__ == "__main__":
    main()
