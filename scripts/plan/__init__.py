"""Plans the trials of a cycle: campaign, settings, rounds, specifications."""
