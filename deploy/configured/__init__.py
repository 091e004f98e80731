"""What the settings name, made: the store, the brokers, a worker, the embedded fold, the desk's ledger."""
