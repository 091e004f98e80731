"""How the audit fares behind bad sensors: false accusations, rounds decided, breaches still found."""
