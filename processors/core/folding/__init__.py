"""How each kind of event changes the table: one module for each part of the play."""
