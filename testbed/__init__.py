"""One trial over the dumbbell: hosts, bottleneck, captures, timeline."""
