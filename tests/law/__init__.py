"""Every check held against cases: short scripts of a round, played through the pipeline."""
