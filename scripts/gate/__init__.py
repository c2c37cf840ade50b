"""The gate: whether a candidate build takes more, gets less or delays more than a base build."""
