"""Revenue: what tables won and should have won, and the rounds and slips behind each figure."""
