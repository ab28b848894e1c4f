"""The endpoints: one module a resource, and what all of them share."""
