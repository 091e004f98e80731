"""A stored table and its rounds rebuilt for showing: state before a sequence, state now, one round with its proof."""
