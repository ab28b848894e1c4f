"""The draft room."""
