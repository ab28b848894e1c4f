"""Pages as text."""


def page(title, body):
    """A page with its title above."""
    return "\n".join([f"# {title}", "", body])


def money(cents):
    """An amount as readers see it."""
    return f"{cents // 100}.{cents % 100:02d} EUR"
