from shop import gateway


def test_rate_is_exact():
    assert str(gateway.exact(b'{"rate": "0.920"}')) == "0.920"
