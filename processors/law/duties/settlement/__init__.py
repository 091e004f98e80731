"""What every stake is due, its completeness, its order, and the lammers."""
