"""What the console asks the warehouse: questions as data, the same for the engine in process and the server."""
