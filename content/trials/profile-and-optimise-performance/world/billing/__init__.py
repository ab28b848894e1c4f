"""Bills from meter readings."""
