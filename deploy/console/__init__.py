"""The console as a process: the desk it serves, the stores it reads, the findings it turns into alerts."""
