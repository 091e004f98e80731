"""How a worker is watched: its health, its figures and its log."""
