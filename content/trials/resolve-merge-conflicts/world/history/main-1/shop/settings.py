"""What the owners decide, in one place."""

SHIPPING = 490
FREE_FROM = 5000
CURRENCY = "EUR"

# Days in which goods may be sent back; the terms of sale say so.
RETURN_DAYS = 28
