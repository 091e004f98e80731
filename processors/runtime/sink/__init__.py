"""The sink worker: everything the topics carry into the warehouse, each row once, however often it comes."""
