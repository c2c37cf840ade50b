"""The pages about all cycles, made from the cycles' summaries only. See build_root.py."""
