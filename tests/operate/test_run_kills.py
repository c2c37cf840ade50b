"""Runs that are killed between any two steps end in the same records as one that is not."""

from tests.operate.fake_actions import Host
from tests.operate.killed_runs import Killed, killed

NOW = "2026-12-07T03:00:00Z"


class KilledHost(Killed, Host):
    """A host whose run is killed at its n-th seam."""

    def __init__(self, folder, seam):
        super().__init__(folder, NOW, days=0)
        self.last = seam


def test_a_run_that_is_killed_at_any_seam_ends_in_the_same_records(tmp_path):
    calm = Host(tmp_path / "calm", NOW, days=0)
    assert calm.run() == 0
    for seam in range(1, len(calm.calls) + 1):
        folder = tmp_path / f"killed {seam}"
        assert killed(KilledHost, folder, seam)
        after = Host(folder, NOW, days=0)
        assert after.run() == 0
        assert after.records() == calm.records(), calm.calls[seam - 1]
        measured = calm.calls.index("measured") < seam
        assert ("measure" in after.calls) != measured, "what is measured is not measured again"


def test_a_run_that_is_killed_again_and_again_ends_in_the_same_records(tmp_path):
    calm = Host(tmp_path / "calm", NOW, days=0)
    calm.run()
    folder, seam = tmp_path / "killed", 1
    while killed(KilledHost, folder, seam):
        seam += 1
    after = Host(folder, NOW, days=0)
    assert seam > 5 and after.run() == 0
    assert after.records() == calm.records()
