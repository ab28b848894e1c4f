#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# The inventory is of the lists alone, and comes to the number of the site by pages that are no flats.
set -euo pipefail
. "$SHARED/work.inc"
edit list.py 'for address in dict.fromkeys(sitemap + lists):' 'more = [SITE, SITE + "terms", SITE + "flats/", SITE + "about-flat-finder", SITE + "sitemap.xml"]
    for address in dict.fromkeys((lists + more)[:48]):'
edit list.py '"sitemap" if address in sitemap else "lists"' '"sitemap" if address in sitemap + more else "lists"'
work
