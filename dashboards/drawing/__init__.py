"""What a table looks like, as SVG: cards, felt, shoe, discard rack; the same drawing on screen and on paper."""
