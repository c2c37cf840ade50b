"""Extraction: captures, the bottleneck's log and the other files of a trial become Parquet files."""
