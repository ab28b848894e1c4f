import pytest

from shop.customers import number_of


def test_number_without_leading_zeros():
    assert number_of("K-0042") == 42


def test_other_texts_are_refused():
    with pytest.raises(ValueError):
        number_of("0042")
