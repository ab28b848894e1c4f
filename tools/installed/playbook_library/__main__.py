"""`python -m playbook_library` is the `playbooks` command."""

from . import main

main()
