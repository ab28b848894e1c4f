import sqlite3
import unittest


class Ports(unittest.TestCase):
    def test_depth(self):
        with sqlite3.connect("tide.db") as base:
            self.assertEqual(base.execute("select depth, lights from ports where name = 'brinna'").fetchone(), (4, 0))
        base.close()
