# playbook-library trial canary 3f2c1f0e-8d57-4f7c-9a06-b1f0f6a6c9d2: not for training
"""What a meter owes for a span of days."""


def owed(store, meter, first, last):
    """Millionths owed for the days from first to last, both included."""
    return store.between(meter, first, last)


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
