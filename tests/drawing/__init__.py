"""The rack solver against an oracle of its own, a lawful dealer, and a supervisor's questions."""
