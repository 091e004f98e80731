"""The gateway to Kafka: a table's events from the journal on this machine's disk into the ledger's topic."""
