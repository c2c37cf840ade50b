"""The bottleneck that needs nothing: our own userspace switch on TAP devices."""
