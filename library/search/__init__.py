"""Search over playbooks, lessons, agents and tasks. The only place that knows Whoosh."""

import warnings

# Newer Pythons warn of escape sequences in Whoosh 2.7.4 (2016) where they compile it: at a user's first command, if the
# installer did not.
warnings.filterwarnings("ignore", category=SyntaxWarning, module=r"(.*[/\\])?whoosh\b")
