"""The review agent: what it looks at, by which rules, and what it advises."""
