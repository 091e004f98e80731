"""A round as steps: what happened, which clauses govern it, and what the table looked like, as then known."""
