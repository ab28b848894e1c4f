import unittest

from tide import calendar


class Calendar(unittest.TestCase):
    def test_open_year(self):
        calendar.open_year(2026)
        self.assertEqual(len(calendar.OPEN[2026]), 313)

    def test_sunday(self):
        self.assertFalse(calendar.is_open(2026, 14))
