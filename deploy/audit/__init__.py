"""Proofs for an auditor: chains verified, checkpoints, clauses explained, results exported."""
