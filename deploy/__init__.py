"""How Catwalk is run: settings and errors, the command line, and a room for each thing that a command does."""
