"""What the observatory talks about: services, settings, pairs, trials and their durations, with types."""
