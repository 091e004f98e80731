"""The watch list: dealers, patrons and tables that somebody has an eye on, each with a reason and an end."""
