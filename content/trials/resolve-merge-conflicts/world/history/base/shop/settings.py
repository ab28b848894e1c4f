"""What the owners decide, in one place."""

SHIPPING = 490
CURRENCY = "EUR"

# Days in which goods may be sent back.
RETURN_DAYS = 14
