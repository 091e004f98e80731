"""How a worker is watched: its health, its figures, its log, and the watchdog over it."""
