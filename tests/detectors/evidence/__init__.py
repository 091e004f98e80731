"""The mathematics of evidence: that it keeps its promise under the null, and that it grows where something is amiss."""
