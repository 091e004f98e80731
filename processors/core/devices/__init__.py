"""The devices of a table: which word each of them owes, which words are missing, and when a device is not believed."""
