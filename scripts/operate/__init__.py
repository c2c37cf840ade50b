"""Unattended operation: a cycle on the grid, published, verified, pruned and reported."""
