"""The casebook: a case as it stands, the index that finds it, and the files attached to it."""
