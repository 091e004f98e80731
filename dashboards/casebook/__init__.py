"""The casebook: how cases change, from what was done to each, and what finds them; folded from the desk's ledger."""
