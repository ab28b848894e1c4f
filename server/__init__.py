"""`playbooks serve`: one ASGI application for the built files, by the route table, and for what is live."""
