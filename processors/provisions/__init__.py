"""The regulation as checks: each a small function beside its clause."""
