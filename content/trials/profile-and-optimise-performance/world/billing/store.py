"""Readings of meters, in the order in which they came: late ones and corrections included."""

from dataclasses import dataclass


@dataclass
class Reading:
    day: int
    meter: str
    wh: int


class Store:
    def __init__(self):
        self.readings = []

    def add(self, day, meter, wh):
        self.readings.append(Reading(day, meter, wh))

    def correct(self, place, wh):
        """The reading that came as number `place` gets another value."""
        self.readings[place].wh = wh
