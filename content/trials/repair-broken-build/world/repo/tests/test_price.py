import unittest

from lib import price


class Price(unittest.TestCase):
    def test_one(self):
        self.assertEqual(price.total("19.00", 1), "19.00")

    def test_three(self):
        self.assertEqual(price.total("19.99", 3), "59.97")

    def test_small(self):
        self.assertEqual(price.total("0.29", 1), "0.29")
