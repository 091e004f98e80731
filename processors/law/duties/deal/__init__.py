"""The first deal: its order, the hands that draw and lay down, and who touches the cards."""
