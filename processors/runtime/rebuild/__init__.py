"""Everything folded, counted and stored again, and the digests that show nothing changed."""
