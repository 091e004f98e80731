"""Kafka as the workers use it: connections, groups, records, and what is behind, lost or missing, and the watchdog."""
