import unittest

from shop import old_export


class Cells(unittest.TestCase):
    def test_quotes(self):
        self.assertEqual(old_export.cell('a "b", c'), '"a ""b"", c"')
