"""Figures of revenue: what tables won, what they should have won, and what stands behind each sum; pure."""
