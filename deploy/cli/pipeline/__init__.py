"""Commands that run the pipeline: workers, topics, stores, and how far each has come."""
