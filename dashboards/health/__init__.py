"""Health: the parts behind the console, and which sensors and clocks of each table are not well."""
