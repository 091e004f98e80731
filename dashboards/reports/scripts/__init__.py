"""Which characters of which scripts a report can show, and in which direction they are set."""
