"""The fold worker: the ledger's topic through one pipeline for each table into rounds, findings and dead letters."""
