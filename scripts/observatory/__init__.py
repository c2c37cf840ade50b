"""The installed command `observatory`."""
