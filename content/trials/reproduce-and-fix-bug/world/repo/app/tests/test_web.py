"""The answers of a fresh room."""

import pathlib
import tempfile
import unittest

from board import database, settings
from board.pools import pool_for
from board.web import answer


class Answers(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        database.begin(f"{place.name}/board.db", pathlib.Path("seed.csv").read_text())
        self.pool = pool_for(settings.read({}), f"{place.name}/board.db")

    def test_a_rank(self):
        self.assertEqual(answer(self.pool, "GET", "/rank?player=Hale"), (200, "46"))

    def test_an_unknown_player(self):
        self.assertEqual(answer(self.pool, "GET", "/rank?player=Hall"), (404, "no player Hall"))

    def test_a_pick(self):
        self.assertEqual(answer(self.pool, "POST", "/pick?team=Reds&player=Tran"), (200, "picked"))
        self.assertEqual(answer(self.pool, "GET", "/team?name=Reds"), (200, "Reds 1: Tran"))

    def test_a_pick_of_somebody_who_is_taken(self):
        answer(self.pool, "POST", "/pick?team=Reds&player=Tran")
        self.assertEqual(answer(self.pool, "POST", "/pick?team=Blues&player=Tran"), (422, "Tran was picked by Reds"))

    def test_a_ranking_that_is_wrong_is_not_loaded(self):
        self.assertEqual(answer(self.pool, "POST", "/import", "Hale,1\nTran"), (422, "line 2 is not PLAYER,RANK"))
        self.assertEqual(answer(self.pool, "GET", "/rank?player=Hale"), (200, "46"))

    def test_an_export(self):
        status, text = answer(self.pool, "GET", "/export?week=44")
        self.assertEqual((status, text.splitlines()[1]), (200, "Hale,46"))
