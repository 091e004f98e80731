"""The opening of a table: inspection, spread, wash, and batches taken through it one by one."""
