"""The queue as each role may see it: alerts as lines, and the open ones kept from one look to the next."""
