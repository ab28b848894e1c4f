"""Search over playbooks, lessons, agents and tasks. The only place that knows Whoosh."""
