"""The law: which clauses each duty cites, the duties themselves, and the one place where a finding is made."""
