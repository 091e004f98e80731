"""Pages: real servers of mail and HTTP on this machine, a real desk, and the process beside a console."""
