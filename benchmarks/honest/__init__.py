"""How often the detectors raise an alarm at lawful tables: counted over many shifts, in many sittings."""
