from ledger import settle


def test_who_paid_gets_money_back():
    assert settle.balances([("ann", 900, ["ann", "ben", "cid"])]) == {"ann": 600, "ben": -300, "cid": -300}
