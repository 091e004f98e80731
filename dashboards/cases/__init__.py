"""Cases: alerts, hands and disputes that are one matter, with an owner, tasks, notes, files, and a report."""
