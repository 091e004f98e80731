"""Honest rounds and rounds of a pattern, as families weigh them: what begins after long honest play."""
