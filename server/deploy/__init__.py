"""How the service is put behind other servers: their configuration, made from the tables of routes and operations."""
