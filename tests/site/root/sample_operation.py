"""The status of an unattended operation that has every case, beside the sample archive."""

from dataclasses import replace

from scripts.model.operation import CycleState, FailedStep, Status, Success, TrialCounts
from tests.site.root.sample_archive import SECOND, THIRD

RUNNING = "2027-01-01"
OPERATION = Status(
    version=1,
    written="2027-01-02T03:04:05Z",
    phase="measuring",
    campaign="watchdog",
    cycle=RUNNING,
    trials=TrialCounts(round=2, planned=1234, measured=12, valid=9, excluded=3, failed=1),
    last_success=Success(THIRD.cycle, "2026-12-14T05:06:07Z"),
    next_due="2027-01-01T00:00:00Z",
    due=True,
    stale=False,
    stale_since=None,
    stale_days=21,
    disk_free_bytes=10**11,
    failures_total=5,
    failures=(
        FailedStep(RUNNING, "2027-01-01T03:04:05Z", "health", "<disk>: 3 GB are free; free 20 GB"),
        FailedStep(THIRD.cycle, "2026-12-13T03:00:01Z", "publish", "s3:observatory: cannot be reached"),
    ),
    unpublished=("2026-12-18",),
    cycles=(
        CycleState(RUNNING, True, "2027-01-01T03:00:00Z", None, 0, 0, 4, {"reno": "no <answer> alone"}),
        CycleState(THIRD.cycle, True, "2026-12-01T03:00:00Z", "2026-12-14T05:06:07Z", 1800, 10**10, 1, {}),
        CycleState(f"{SECOND.cycle}.r2", False, None, "2026-11-20T00:00:00Z", 1, 10, 0, {}),
    ),
    versions={"commit": "0" * 40},
)

IDLE = replace(
    OPERATION,
    phase="idle",
    cycle=None,
    trials=None,
    last_success=None,
    due=False,
    failures_total=0,
    failures=(),
    unpublished=(),
    cycles=(),
)
