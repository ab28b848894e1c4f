"""What a meter owes for a span of days."""

from billing.tariff import rate


def owed(store, meter, first, last):
    """Millionths owed for the days from first to last, both included."""
    total = 0
    for reading in store.readings:
        if reading.meter == meter and first <= reading.day <= last:
            total += reading.wh * rate(reading.day)
    return total


def answers(store, lines):
    """Work through the lines of a day's journal; yields an answer for each question."""
    for line in lines:
        kind, *words = line.split()
        if kind == "R":
            store.add(int(words[0]), words[1], int(words[2]))
        elif kind == "C":
            store.correct(int(words[0]), int(words[1]))
        elif kind == "Q":
            yield owed(store, words[0], int(words[1]), int(words[2]))
