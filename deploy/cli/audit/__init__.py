"""Commands that audit a record: replay, proofs, reconstructions, and the law in words."""
