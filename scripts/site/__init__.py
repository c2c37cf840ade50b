"""The static site of a cycle. `python -m scripts.site` builds it with Hugo from tables and charts."""
