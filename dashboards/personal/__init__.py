"""What each person keeps for their own lists: saved searches and columns."""
