import pytest

from ledger import money


def test_amounts_are_read_and_shown():
    assert money.parse("12.34") == 1234
    assert money.show(1234) == "12.34"


def test_shares_follow_the_weights():
    assert money.split(900, [1, 2]) == [300, 600]


def test_a_weight_of_zero_pays_nothing():
    assert money.split(1001, [1, 1, 0])[2] == 0
    assert money.split(1001, [0, 1, 1])[0] == 0


def test_negative_weights_are_refused():
    with pytest.raises(ValueError, match="weights"):
        money.split(900, [2, -1])


def test_words_are_no_amounts():
    for text in ("", "ten", "1.2.3"):
        with pytest.raises(ValueError):
            money.parse(text)
