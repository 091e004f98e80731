"""What shows only over many rounds: detectors that state how often they raise a false alarm, and their mathematics."""
