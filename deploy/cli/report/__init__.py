"""`catwalk report`: what the desk holds, for people and programs that do not use the console."""
