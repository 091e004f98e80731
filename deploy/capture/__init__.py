"""Events on their way in: recorded into a ledger, or forwarded to Kafka."""
