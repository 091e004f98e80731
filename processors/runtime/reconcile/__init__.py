"""The store held against the ledger, folded once more: rows that are missing, extra or different, and their repair."""
