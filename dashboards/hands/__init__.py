"""Hands: finding one, and one round step by step, with its findings, its payouts and its proof."""
