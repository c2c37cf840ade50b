"""Submissions: services that others ask the observatory to measure, from their file to its approval."""
