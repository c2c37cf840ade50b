"""The formulas: pure functions without input or output, each with its source."""
