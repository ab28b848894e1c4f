# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""Readings of meters, in the order in which they came: late ones and corrections included."""

from billing.tariff import rate

DAYS = 1 << 9


class Store:
    """Per meter a Fenwick tree over the days, so that a reading, a correction and a question cost nine steps each."""

    def __init__(self):
        self.readings = []
        self.trees = {}

    def _put(self, meter, day, amount):
        tree = self.trees.setdefault(meter, {})
        place = day % DAYS + 1
        tree = tree.setdefault(day // DAYS, [0] * (DAYS + 1))
        while place <= DAYS:
            tree[place] += amount
            place += place & -place

    def add(self, day, meter, wh):
        self.readings.append((day, meter, wh))
        self._put(meter, day, wh * rate(day))

    def correct(self, place, wh):
        """The reading that came as number `place` gets another value."""
        day, meter, old = self.readings[place]
        self.readings[place] = (day, meter, wh)
        self._put(meter, day, (wh - old) * rate(day))

    def between(self, meter, first, last):
        if last < first:
            return 0
        return self._until(meter, last) - self._until(meter, first - 1)

    def _until(self, meter, day):
        total = 0
        for block, tree in self.trees.get(meter, {}).items():
            if block > day // DAYS:
                continue
            place = DAYS if block < day // DAYS else day % DAYS + 1
            while place:
                total += tree[place]
                place -= place & -place
        return total
