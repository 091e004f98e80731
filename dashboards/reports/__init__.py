"""Evidence on paper: a round or a dispute as an archival, accessible PDF, the same bytes for the same record."""
