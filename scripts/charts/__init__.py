"""The charts of a cycle: tables in, Altair charts out. `python -m scripts.charts` writes them all."""
