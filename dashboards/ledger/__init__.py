"""The desk's ledger: its records, their chain and proof, and how a file or a topic keeps them."""
