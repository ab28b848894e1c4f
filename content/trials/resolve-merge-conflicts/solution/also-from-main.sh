#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# From the other side: main as it is, and on top of it what feature did; the checkout itself, other words.
set -euo pipefail
. "$SHARED/merge.inc"
cd shop
git checkout -q -b merge-main feature
{ git rev-parse feature origin/main; git merge-base feature origin/main; } > ../conflicts.md
git merge --no-ff --no-commit origin/main > /dev/null || true
for file in shop/settings.py shop/pricing.py shop/report.py shop/__main__.py shop/view.py tests/test_pricing.py tests/test_report.py; do
  git show "origin/main:$file" > "$file"
done
python3 - <<'PY'
import pathlib
import subprocess


def of(ref, path):
    return subprocess.run(["git", "show", f"{ref}:{path}"], capture_output=True, text=True, check=True).stdout


def write(path, *pairs):
    text = pathlib.Path(path).read_text()
    for old, new in pairs:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    pathlib.Path(path).write_text(text)


write("shop/pricing.py", (
    '    """What an order costs, shipping included."""\n',
    '    """What an order costs, shipping included; a voucher pays goods, not shipping."""\n',
), (
    "    return goods + (0 if goods >= FREE_FROM else SHIPPING)\n",
    "    shipping = SHIPPING if goods < FREE_FROM else 0  # before the voucher\n"
    '    return max(0, goods - order.get("voucher", 0)) + shipping\n',
))
ours = of("feature", "shop/report.py")
write("shop/report.py", ("def busiest", ours[ours.index("def by_reason"):ours.index("def busiest")] + "def busiest"))
write("shop/__main__.py", ("COMMANDS = {\n", 'COMMANDS = {\n    "by-reason": ("what came back, by reason", report.by_reason),\n'))
write("shop/view.py", ("user=None):", 'user=None, *, notice=""):'), (
    '    """A page with its title above, and the menu of whoever is logged in."""\n',
    '    """A page: a notice where there is one, the menu of whoever is logged in, the title, the text."""\n',
), (
    '    return "\\n".join([*([menu(user)] if user else []), f"# {title}", "", body])\n',
    '    lines = [f"# {title}", "", body]\n'
    "    if user:\n        lines.insert(0, menu(user))\n"
    '    if notice:\n        lines = [f"! {notice}", "", *lines]\n'
    '    return "\\n".join(lines)\n',
))
for path in ("tests/test_pricing.py", "tests/test_report.py"):
    added = of("feature", path)[len(of("feature~4", path)):]
    pathlib.Path(path).write_text(pathlib.Path(path).read_text() + added)
write("shop/refunds.py", ("from shop import pricing\n", "from shop.pricing import line_price\n"), ("pricing.price_of(", "line_price("))
write("shop/export.py", (
    "    text = str(value)\n",
    '    text = str(value)\n    text = f"\'{text}" if text.startswith(("=", "+", "-", "@")) else text\n',
))
write("tests/test_export.py", ("    def test_heads", (
    "    def test_formulas_are_text(self):\n        for sign in \"=+-@\":\n"
    "            self.assertEqual(export.quoted(sign + \"1\"), f\"'{sign}1\")\n\n    def test_heads"
)))
PY
removed
generated
told
echo '- shop/view.py: `head = [f"! {notice}", ""] if notice else []`; the same list is built from below.' >> ../conflicts.md
git add -A
git commit -q -m 'Merge main into feature' -m 'Conflicts resolved by an agent; who decided what stands in conflicts.md.'
