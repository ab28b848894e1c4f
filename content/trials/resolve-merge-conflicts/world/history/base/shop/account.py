"""The page of a customer."""

from shop.view import page


def account_page(user):
    """What a customer sees first."""
    return page("Account", f"Hello {user['name']}")
