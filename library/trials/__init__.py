"""Trials: playbooks' commands and checks, proven on prepared cases in sandboxes; runs of agents on them, graded."""
