"""Tables at which something is done that no single round shows, and honest ones that look alike."""
