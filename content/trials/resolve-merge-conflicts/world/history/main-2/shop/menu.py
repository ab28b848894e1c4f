"""The menu of somebody who is logged in."""


def menu(user):
    """The entries, the owner's own ones last."""
    entries = ["Orders", "Addresses", "Log out"]
    if user.get("owner"):
        entries += ["Figures"]
    return " | ".join(entries)
