"""The static site of a cycle. `python -m scripts.site` builds it with Hugo from tables and charts."""

Row = dict[str, object]
"""A row of a table with all its columns, or a mapping for Hugo's data."""
