"""The pages of docs/ that follow from the code and the configuration."""
