"""Days on which the harbour is open."""

OPEN = {}


def open_year(year):
    OPEN[year] = [day for day in range(1, 366) if day % 7]


def is_open(year, day):
    return day in OPEN[year]


def close_day(year, day):
    OPEN[year].remove(day)
