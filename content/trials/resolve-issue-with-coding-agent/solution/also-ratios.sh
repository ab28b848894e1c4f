#!/bin/bash
# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
# Whole numbers over one denominator; the tests from outside, by the command, in the file that is there; two commits of code.
set -euo pipefail
. "$SCRIPTS/pr.inc"
git checkout -q -b issue-17
cat >> tests/test_money.py <<'PY'


def shares_of(capsys, *words):
    assert main(["split", *words]) == 0
    return [line.split()[1] for line in capsys.readouterr().out.splitlines()]


def test_shares_of_a_bill_add_up(capsys):
    assert shares_of(capsys, "20.00", "ann", "ben", "cid") == ["6.67", "6.67", "6.66"]
    assert shares_of(capsys, "90071992547409.93", "ann", "ben:2") == ["30023997515803.31", "60047995031606.62"]
    assert shares_of(capsys, "0.01", "ann", "ben", "cid:2") == ["0.00", "0.00", "0.01"]
    assert sum(money.split(10**40 + 1, [1, 2, 4])) == 10**40 + 1


def test_amounts_and_weights_of_other_kinds_are_taken_as_before():
    assert money.split(-900.0, [1, 2]) == [-300, -600]
    assert money.split(900, [0.5, 1.0]) == [300, 600]
    with pytest.raises(TypeError):
        money.split(900, [1, decimal.Decimal(2)])


def test_shares_of_a_refund_are_those_of_the_bill_with_a_minus(capsys):
    assert shares_of(capsys, "-10.50", "ann", "ben", "cid") == ["-3.50", "-3.50", "-3.50"]
    assert shares_of(capsys, "-0.05", "ann", "ben") == ["-0.03", "-0.02"]


def test_amounts_are_written_short_or_long(capsys):
    assert shares_of(capsys, "10", "ann", "ben") == shares_of(capsys, "10.0", "ann", "ben") == ["5.00", "5.00"]
    assert shares_of(capsys, "10.5", "ann") == ["10.50"]


@pytest.mark.parametrize("text", ["10.505", "10."])
def test_amounts_with_other_decimals_are_refused(capsys, text):
    assert main(["split", text, "ann"]) == 2
PY
sed -i 's/^import pytest$/import decimal\n\nimport pytest/; s/^from ledger import money$/&\nfrom ledger.__main__ import main/' tests/test_money.py
git commit -qam 'Tests of issue 17, which fail'
python3 - <<'PY'
import pathlib

path = pathlib.Path("ledger/money.py")
text = path.read_text()
old = text[text.index("    whole, cents ="):text.index("\n\ndef show")]
new = '''    bare = text.removeprefix("-")
    whole, point, cents = bare.partition(".")
    if not (whole.isascii() and whole.isdigit()) or (point and not (cents.isascii() and cents.isdigit() and len(cents) < 3)):
        raise ValueError(f"no amount: {text!r}")
    size = int(whole) * 100 + int(cents.ljust(2, "0"))
    return size if bare == text else -size
'''
text = text.replace(old, new)
text = text.replace('    return f"{cents // 100}.{cents % 100:02d}"', '''    whole, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{whole}.{rest:02d}"''')
path.write_text(text)
PY
git commit -qam 'Amounts keep their sign'
python3 - <<'PY'
import pathlib

path = pathlib.Path("ledger/money.py")
text = path.read_text()
old = text[text.index("    total = sum"):]
new = '''    if not all(isinstance(number, Real) for number in (amount, *weights)):
        raise TypeError("an amount and its weights are real numbers")
    sign = -1 if amount < 0 else 1
    ratios = [number.as_integer_ratio() for number in (abs(amount), *weights)]
    one = math.lcm(*(under for _, under in ratios))
    whole, *parts = [over * one // under for over, under in ratios]
    total = sum(parts) * one
    left = {place: whole * part % total for place, part in enumerate(parts)}
    shares = [whole * part // total for part in parts]
    while sum(shares) < whole // one:
        lucky = max(left, key=left.get)
        shares[lucky] += 1
        del left[lucky]
    return [sign * share for share in shares]
'''
text = text.replace('cents."""\n', 'cents."""\n\nimport math\nfrom numbers import Real\n', 1)
path.write_text(text.replace(old, new))
PY
git commit -qam 'The cents left over are given out'
pr_text
