#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Saved is what will be loaded; columns.csv agrees with it.
set -euo pipefail
. "$SHARED/work.inc"
change fetch.py '        return body, page' '        kept = ("id", "label", "status", "location", "river", "station", "at", "value")
        page["items"] = [{name: item[name] for name in kept if name in item} for item in page["items"]]
        for item in page["items"]:
            if "location" in item:
                item["location"] = {"town": item["location"]["town"]}
        page.pop("meta", None)
        return json.dumps(page).encode(), page'
finish
sed -i '/quality\|lat,\|^meta/d' columns.csv
