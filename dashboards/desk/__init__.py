"""The desk: the life of alerts, from the finding to its disposition, as events that are never changed."""
