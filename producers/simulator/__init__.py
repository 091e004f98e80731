"""Simulated tables: contract streams from a seed, sharing no rule code with what audits them."""
