"""The commands that send: a run report or a submission, checked here first, with the end user's consent, once."""
