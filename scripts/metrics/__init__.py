"""The formulas: pure functions without files, network or clock, each with its source."""
