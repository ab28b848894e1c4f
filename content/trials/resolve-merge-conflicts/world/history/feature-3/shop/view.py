"""Pages as text."""


def page(title, body, *, notice=""):
    """A page with its title above, and a notice above all where there is one."""
    head = [f"! {notice}", ""] if notice else []
    return "\n".join([*head, f"# {title}", "", body])


def money(cents):
    """An amount as readers see it."""
    return f"{cents // 100}.{cents % 100:02d} EUR"
