import unittest

from billing.report import answers
from billing.store import Store

JOURNAL = """R 3 A 100
R 4 B 50
Q A 0 364
R 100 A 10
Q A 0 364
Q B 0 3
Q B 0 4"""


class Report(unittest.TestCase):
    def test_a_short_journal(self):
        self.assertEqual(list(answers(Store(), JOURNAL.splitlines())), [31000, 33950, 0, 15500])

    def test_no_questions(self):
        self.assertEqual(list(answers(Store(), [])), [])


if __name__ == "__main__":
    unittest.main()
