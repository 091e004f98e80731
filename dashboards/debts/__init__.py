"""Debts: what the record owes of stakes, and what decisions settled of it, asked by every page that names either."""
