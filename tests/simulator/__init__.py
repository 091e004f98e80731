"""Simulated tables, held against the contract and the regulations' text."""
