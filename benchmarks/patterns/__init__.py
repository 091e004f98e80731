"""How soon the detectors find patterns of known size, and how often they take honest tables for them."""
