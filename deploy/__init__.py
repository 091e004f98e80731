"""How it is run: the command line, the embedded stack."""
