"""Sensor noise: what a dealt table's devices lose, misread, delay or never hand to the recorder."""
