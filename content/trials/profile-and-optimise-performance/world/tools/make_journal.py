"""make_journal.py SEED READINGS: a journal as the evenings bring it."""

import random
import sys


def main(seed, size):
    chance = random.Random(seed)
    meters = [f"M{number}" for number in range(1, 13)]
    known = 0
    for place in range(size):
        if place == 0 or chance.random() < 0.01:
            print("Q", chance.choice(meters), 0, 364)
        day = min(364, max(0, place * 365 // max(size, 1) - (chance.randint(0, 60) if chance.random() < 0.1 else 0)))
        for _ in range(2 if chance.random() < 0.05 else 1):
            print("R", day, chance.choice(meters), chance.randint(0, 30000))
            known += 1
        if chance.random() < 0.02:
            print("C", chance.randrange(known), chance.randint(-500, 30000))
        if chance.random() < 0.25:
            first = chance.randint(-5, 364)
            print("Q", chance.choice([*meters, "M99"]), first, first + chance.choice([-1, 0, 1, 30, 365]))


main(sys.argv[1], int(sys.argv[2]))
