"""The stub of the stack games: taken out, counted, unseen, racked."""
