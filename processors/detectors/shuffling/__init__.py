"""What a shoe is held against: orders that were known, and cards that lay or lie side by side."""
