"""The classes of sizes by which completion times of flows are published."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SizeClass:
    """The sizes from `from_bytes` on and below `to_bytes`; None: without a limit."""

    name: str
    from_bytes: int
    to_bytes: int | None


ALL = "all"
"""The class of every size."""

SIZE_CLASSES = (
    SizeClass(ALL, 0, None),
    SizeClass("below 1 kB", 0, 1_000),
    SizeClass("1 to 3 kB", 1_000, 3_000),
    SizeClass("3 to 10 kB", 3_000, 10_000),
    SizeClass("10 to 30 kB", 10_000, 30_000),
    SizeClass("30 to 100 kB", 30_000, 100_000),
    SizeClass("100 to 300 kB", 100_000, 300_000),
    SizeClass("300 kB to 1 MB", 300_000, 1_000_000),
    SizeClass("1 to 3 MB", 1_000_000, 3_000_000),
    SizeClass("3 to 10 MB", 3_000_000, 10_000_000),
    SizeClass("10 to 30 MB", 10_000_000, 30_000_000),
    SizeClass("30 MB and more", 30_000_000, None),
)
"""Every class. Each size is in `all` and in one other."""
