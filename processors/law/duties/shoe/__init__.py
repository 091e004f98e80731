"""The life of a shoe: loading, burning, the cover card, the last round, and the turns of the batches."""
