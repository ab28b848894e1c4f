"""What editors decide, and what a decision makes of what was sent."""
