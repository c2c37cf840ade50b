"""Which trials a cycle measures: campaign, settings, rounds, specifications."""
