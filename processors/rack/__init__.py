"""The discard rack alone: every lawful history it can have."""
