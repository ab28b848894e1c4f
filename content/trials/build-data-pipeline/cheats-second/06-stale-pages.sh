#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A fetch goes on with the whole pages that lie there, from whatever day.
set -euo pipefail
. "$SHARED/work.inc"
change fetch.py 'part = told.folder.rstrip("/") + ".part"
shutil.rmtree(part, ignore_errors=True)
os.makedirs(part)' 'part = told.folder
os.makedirs(part, exist_ok=True)


def got(feed, number, address):
    name = os.path.join(part, f"{feed}-{number:05}.json")
    if os.path.exists(name):
        with open(name, "rb") as file:
            body = file.read()
        return body, json.loads(body)
    body, page = get(address)
    with open(name + ".torn", "wb") as file:
        file.write(body)
    os.rename(name + ".torn", name)
    return body, page

'
change fetch.py 'body, page = get(f"{told.url}/stations?limit={told.page}&offset={number * told.page}")
    save(part, "stations", number, body)' 'body, page = got("stations", number, f"{told.url}/stations?limit={told.page}&offset={number * told.page}")'
change fetch.py 'body, page = get(told.url + address)
    save(part, "readings", number, body)' 'body, page = got("readings", number, told.url + address)'
change fetch.py 'shutil.rmtree(told.folder, ignore_errors=True)
os.rename(part, told.folder)
' ''
finish
