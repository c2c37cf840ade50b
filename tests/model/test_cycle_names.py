"""The cycles that a cycle is compared with."""

import json

from scripts.model.cycle_names import cycle_before, cycle_of_other_bottleneck


def test_the_cycle_before_is_the_last_one_with_tables(tmp_path):
    for name in ("2026-10-01", "2026-10-15", "2026-11-15"):
        (tmp_path / "demo" / name / "tables").mkdir(parents=True)
        (tmp_path / "demo" / name / "tables/trial_services.parquet").touch()
    (tmp_path / "demo/2026-10-29/tables").mkdir(parents=True)
    assert cycle_before(str(tmp_path), "demo", "2026-11-01") == tmp_path / "demo/2026-10-15"
    assert cycle_before(str(tmp_path), "demo", "2026-10-01") is None


def planned(directory, bottleneck):
    """Make a cycle with tables over this bottleneck."""
    (directory / "tables").mkdir(parents=True)
    (directory / "tables/trial_services.parquet").touch()
    (directory / "plan").mkdir()
    (directory / "plan/config.json").write_text(json.dumps({"bottleneck": bottleneck}))


def test_a_cycle_over_another_bottleneck_is_never_the_cycle_before(tmp_path):
    planned(tmp_path / "demo/2026-10-01", "embedded")
    planned(tmp_path / "demo/2026-10-15", "embedded")
    planned(tmp_path / "demo/2026-10-15-bess", "bess")
    planned(tmp_path / "demo/2026-11-01", "embedded")
    assert cycle_before(str(tmp_path), "demo", "2026-11-01") == tmp_path / "demo/2026-10-15"
    assert cycle_before(str(tmp_path), "demo", "2026-10-15-bess") is None
    other = cycle_of_other_bottleneck(str(tmp_path), "demo", "2026-11-01")
    assert other == tmp_path / "demo/2026-10-15-bess"
    other = cycle_of_other_bottleneck(str(tmp_path), "demo", "2026-10-15-bess")
    assert other == tmp_path / "demo/2026-11-01"
    assert cycle_of_other_bottleneck(str(tmp_path), "demo", "2026-12-01") is None
