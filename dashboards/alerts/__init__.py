"""Alerts: the queue, one alert with its evidence, what users do to alerts, and the live feed."""
