"""The cycle that `changes` compares with."""

from scripts.cycle import cycle_before


def test_the_cycle_before_is_the_last_one_with_tables(tmp_path):
    for name in ("2026-10-01", "2026-10-15", "2026-11-15"):
        (tmp_path / "demo" / name / "tables").mkdir(parents=True)
        (tmp_path / "demo" / name / "tables/trial_services.parquet").touch()
    (tmp_path / "demo/2026-10-29/tables").mkdir(parents=True)
    assert cycle_before(str(tmp_path), "demo", "2026-11-01") == tmp_path / "demo/2026-10-15"
    assert cycle_before(str(tmp_path), "demo", "2026-10-01") is None
