import unittest

from pages import home, prices


class Pages(unittest.TestCase):
    def test_home(self):
        self.assertEqual(home.html(), "<h1>The shop</h1>\n<p>Mugs, cups and jugs.</p>\n")

    def test_prices(self):
        self.assertIn("Mug", prices.html())
