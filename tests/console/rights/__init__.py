"""Who may open and do what, as tables over every route of the console."""
