"""The bottleneck without a daemon: our own userspace switch on TAP devices."""
