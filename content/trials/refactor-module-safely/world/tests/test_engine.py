import contextlib
import datetime
import io
import unittest

from books import engine
from books.__main__ import main


class Reading(unittest.TestCase):
    def test_a_line(self):
        line = engine.parse_line("2024-02-01;sale;AT;120.00;Ann")
        self.assertEqual((line.kind, line.country, line.cents, line.text), ("sale", "AT", 12000, "Ann"))
        self.assertEqual(line.day, datetime.date(2024, 2, 1))

    def test_a_bad_line_is_left_out(self):
        with self.assertLogs("books.engine", "WARNING"):
            self.assertEqual(engine.parse("2024-02-01;sale;AT;a lot;Ann"), [])

    def test_strict_stops(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(main(["--strict", "samples/bad.txt"]), 1)
        self.assertIn("stopped: line 2", said.getvalue())


class Rates(unittest.TestCase):
    def test_the_rate_of_the_day(self):
        self.assertEqual(engine.rate_of("DE", engine.day("2020-08-01")), 16)
        self.assertEqual(engine.rate_of("DE", engine.day("2021-01-01")), 19)

    def test_no_rate(self):
        with self.assertRaises(engine.NoRate):
            engine.rate_of("XX", engine.day("2021-01-01"))


class Postings(unittest.TestCase):
    def post(self, text):
        return engine.post(engine.parse_line(text))

    def test_sale(self):
        self.assertEqual(self.post("2024-02-01;sale;AT;120.00;Ann").tax, 2000)

    def test_purchase(self):
        self.assertEqual(self.post("2024-02-01;purchase;DE;119.00;Ben").tax, -1900)

    def test_refund(self):
        self.assertEqual(self.post("2024-02-01;refund;AT;120.00;Ann").tax, -2000)

    def test_import(self):
        self.assertEqual(self.post("2024-02-01;import;AT;100.00;Cid").tax, 0)


class Quarters(unittest.TestCase):
    def test_sums(self):
        lines = engine.parse("2024-02-01;sale;AT;120.00;Ann\n2024-04-01;sale;AT;60.00;Ben")
        self.assertEqual(engine.quarters([engine.post(line) for line in lines]), [("2024-Q1", 2000), ("2024-Q2", 1000)])
