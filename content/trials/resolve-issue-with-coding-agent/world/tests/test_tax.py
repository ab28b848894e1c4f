from ledger import money, tax


def test_halves_are_rounded_away_from_zero():
    assert [money.rounded(value) for value in (0.5, 1.5, -0.5)] == [1, 2, -1]


def test_tax_is_rounded_to_the_cent():
    assert tax.tax_within(1000, 19) == 160
    assert tax.tax_within(999, 19) == 160
