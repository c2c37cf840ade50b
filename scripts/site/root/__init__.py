"""The pages about all cycles: from the summaries of the cycles to the root of the site."""
