"""The pages of revenue and their answers to programs."""
