import unittest

from tide import calendar


class Closing(unittest.TestCase):
    def test_close(self):
        calendar.close_day(2026, 40)
        self.assertFalse(calendar.is_open(2026, 40))

    def test_others_stay_open(self):
        self.assertTrue(calendar.is_open(2026, 41))

    @unittest.skip("the harbour has no rule for leap years yet")
    def test_leap(self):
        self.fail()
