"""The subcommands as a user runs them."""
