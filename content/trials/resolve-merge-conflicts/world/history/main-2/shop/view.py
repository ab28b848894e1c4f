"""Pages as text."""

from shop.menu import menu


def page(title, body, user=None):
    """A page with its title above, and the menu of whoever is logged in."""
    return "\n".join([*([menu(user)] if user else []), f"# {title}", "", body])


def money(cents):
    """An amount as readers see it."""
    return f"{cents // 100}.{cents % 100:02d} EUR"
