"""Data with stable addresses: the tables of every cycle, their index, and summaries of cycles."""
