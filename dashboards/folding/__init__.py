"""Tables as they stood at any event: their stored records, folded from the nearest kept state."""
