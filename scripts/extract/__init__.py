"""From what a trial left behind to Parquet: captures, the bottleneck's log and trial.json."""
