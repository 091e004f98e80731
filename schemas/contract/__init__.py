"""The contract as documents: the schema of an event as published, and the topics as AsyncAPI."""
