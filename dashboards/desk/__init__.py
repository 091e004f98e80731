"""The desk: how alerts and disputes change, from the finding to the disposition, folded from its ledger."""
