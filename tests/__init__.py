"""What users do, properties, faults."""
