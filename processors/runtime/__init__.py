"""The processors at work: ledgers read, tables folded, results stored; the only layer here that does I/O."""
