# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Readings of meters, in the order in which they came: late ones and corrections included."""

import bisect

from billing.tariff import rate


class Store:
    """Per meter the sum of each day, its days in order: a question adds up some days of one meter, never readings."""

    def __init__(self):
        self.readings = []
        self.days = {}
        self.sums = {}

    def add(self, day, meter, wh):
        self.readings.append((day, meter, wh))
        sums = self.sums.setdefault(meter, {})
        if day not in sums:
            bisect.insort(self.days.setdefault(meter, []), day)
            sums[day] = 0
        sums[day] += wh * rate(day)

    def correct(self, place, wh):
        """The reading that came as number `place` gets another value."""
        day, meter, old = self.readings[place]
        self.readings[place] = (day, meter, wh)
        self.sums[meter][day] += (wh - old) * rate(day)

    def between(self, meter, first, last):
        days = self.days.get(meter, ())
        sums = self.sums.get(meter)
        return sum(map(sums.__getitem__, days[bisect.bisect_left(days, first) : bisect.bisect_right(days, last)])) if sums else 0
