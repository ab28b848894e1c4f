import unittest

from shop import account, view


class Pages(unittest.TestCase):
    def test_page(self):
        self.assertEqual(view.page("A", "b"), "# A\n\nb")

    def test_money(self):
        self.assertEqual(view.money(1905), "19.05 EUR")

    def test_account(self):
        self.assertIn("Hello Ann", account.account_page({"name": "Ann"}))

    def test_notice_above_all(self):
        self.assertEqual(view.page("A", "b", notice="Closed on Monday"), "! Closed on Monday\n\n# A\n\nb")
