"""Typed records of campaigns, services, settings and trials; the arithmetic of links and durations."""
