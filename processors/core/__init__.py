"""The pure fold: chain, table, shoe, round, rack, and conservation of cards."""
