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


def test_large_orders_are_sent_free():
    assert invoice.total(5100, 500, "DE") == 5100
    assert invoice.total(8100, 500, "FR") == 8100
    assert invoice.total(50000, 500, "US") == 51890


def test_small_orders_are_not():
    assert invoice.total(4900, 500, "DE") == 5290
    assert invoice.total(7900, 500, "FR") == 8890


def test_the_catalogue_says_what_is_free():
    assert "Free from 50.00" in catalogue.postage_note("home")
    assert "Free from" not in catalogue.postage_note("world")


def test_croatia_is_near():
    assert rates.zone("HR") == "eu"
