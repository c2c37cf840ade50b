"""The pages of a cycle: from its snapshot to the folder cycles/<campaign>/<cycle>/."""
