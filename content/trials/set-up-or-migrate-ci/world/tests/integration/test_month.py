import os
import unittest

from orders.prices import total


class Month(unittest.TestCase):
    def test_a_day(self):
        self.assertEqual(total([(1, 100)] * 24), 2880)

    @unittest.skipUnless(os.environ.get("ORDERS_REGION"), "no region")
    def test_region(self):
        self.assertEqual(os.environ["ORDERS_REGION"], "at")

    @unittest.skipUnless(os.environ.get("RUN_SLOW"), "needs --run-slow")
    def test_a_month(self):
        self.assertEqual(total([(1, 100)] * 24 * 31), 89280)
