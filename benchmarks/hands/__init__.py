"""A full store of hands, and the searches in it of which the time is taken."""
