import unittest

from shop import export


class Cells(unittest.TestCase):
    def test_quotes(self):
        self.assertEqual(export.quoted('a "b", c'), '"a ""b"", c"')

    def test_heads(self):
        self.assertEqual(export.export([{"day": "2026-03-02", "customer": "Ann"}]), "day,customer\n2026-03-02,Ann")
