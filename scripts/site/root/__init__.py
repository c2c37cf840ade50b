"""The pages about all cycles, made from the cycles' summaries. See build_root.py."""
