"""What `catwalk bench` measures, each figure beside its peer in the same run."""
