"""Build and serve the archive; see scripts/site/archive.py."""
