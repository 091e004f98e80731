"""The desk: how alerts, disputes and cases change, and what people keep and watch, folded from its ledger."""
