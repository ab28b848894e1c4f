import pytest

from parcel import catalogue, invoice, quotes, rates, returns


def test_postage_goes_by_weight_and_zone():
    assert rates.price(1000, "DE") == 390
    assert rates.price(1001, "FR") == 1490


def test_unknown_countries_are_far_away():
    assert rates.price(10, "NZ") == 1890


def test_too_heavy():
    with pytest.raises(ValueError):
        rates.price(40000, "DE")


def test_the_invoice():
    assert invoice.lines(2000, 500, "DE") == ["goods 20.00", "postage 3.90", "total 23.90"]


def test_all_that_was_paid_comes_back():
    assert returns.refund(2000, 500, "FR") == invoice.total(2000, 500, "FR")


def test_the_catalogue():
    assert catalogue.postage_note("eu").startswith("Up to 1000 g: 9.90.")


def test_quotes():
    assert quotes.cheapest(900, ["US", "FR", "IT"]) == "FR"
