import unittest

from orders.prices import total


class Total(unittest.TestCase):
    def test_usual_rate(self):
        self.assertEqual(total([(2, 500)]), 1200)

    def test_reduced_rate(self):
        self.assertEqual(total([(2, 500)], 10), 1100)

    def test_rounds_half_up(self):
        self.assertEqual(total([(1, 5)], 10), 6)

    def test_no_lines(self):
        self.assertEqual(total([]), 0)
