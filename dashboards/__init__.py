"""The console, its reports and the terminal view: one folder a room."""
