#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# A page has its notice or its menu: each side's own tests pass, and whoever is logged in loses the menu under a notice.
set -euo pipefail
. "$SHARED/merge.inc"
begin
settings
pricing
report
commands
ours_and shop/view.py '
new("\n\n\ndef page", "\n\nfrom shop.menu import menu\n\n\ndef page")
new("body, *, notice", "body, user=None, *, notice")
new("title above, and a notice above all where there is one", "title above, a notice above all where there is one, and the menu of whoever is logged in")
new("if notice else []", "if notice else [menu(user)] if user else []")'
tests
removed
follow
formulas
generated
told
echo '- shop/view.py: `head = [f"! {notice}", ""] if notice else []`; the menu joins the same line.' >> ../conflicts.md
finish
