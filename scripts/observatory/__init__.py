"""The installed command `observatory`. No other package imports it."""
