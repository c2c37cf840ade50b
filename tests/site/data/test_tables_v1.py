"""data/v1/: rows with their campaign and cycle, readable as one dataset, in row groups of whole trials."""

import duckdb
import pyarrow as pa
import pyarrow.csv as pa_csv
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.base.files import digest
from scripts.site.addresses import Place
from scripts.site.data import tables_v1
from scripts.site.data.tables_v1 import TRIAL, write_tables
from tests.site.data.conftest import PLACES

FIRST, _SECOND, CORRECTED = PLACES


def test_every_table_has_its_partition_first_and_else_its_own_columns(archive):
    names = sorted(path.stem for path in (archive.snapshot / "tables").glob("*.parquet"))
    assert names == [table.name for table in archive.summaries[FIRST].tables]
    for name in names:
        before = pq.read_table(archive.snapshot / f"tables/{name}.parquet")
        after = pq.ParquetFile(archive.root / CORRECTED.table(name, "parquet")).read()
        assert ["campaign", "cycle"] == after.column_names[:2]
        assert before == after.drop_columns(["campaign", "cycle"])
        values = {(row["campaign"], row["cycle"]) for row in after.select(["campaign", "cycle"]).to_pylist()}
        assert values <= {("demo", "2026-12-05.r2")}


def test_a_summary_names_rows_bytes_and_checksums(archive):
    for table in archive.summaries[FIRST].tables:
        assert ["parquet", "csv"] == [file.form for file in table.files]
        for file in table.files:
            path = archive.root / FIRST.table(table.name, file.form)
            assert (path.stat().st_size, digest(path)) == (file.bytes, file.sha256)
        assert pq.read_metadata(archive.root / FIRST.table(table.name, "parquet")).num_rows == table.rows


def test_csv_and_parquet_have_the_same_rows(archive):
    parquet = pq.ParquetFile(archive.root / FIRST.table("pairs", "parquet")).read()
    text = pa_csv.ConvertOptions(
        column_types=parquet.schema, strings_can_be_null=True, quoted_strings_can_be_null=False
    )
    assert parquet == pa_csv.read_csv(archive.root / FIRST.table("pairs", "csv"), convert_options=text)


@pytest.mark.parametrize("partitioning", ["hive", None])
def test_pyarrow_reads_all_cycles_as_one_dataset(archive, partitioning):
    folder = archive.root / "data/v1/pairs"
    dataset = ds.dataset(folder, partitioning=partitioning, exclude_invalid_files=True)
    assert dataset.schema.field("cycle").type == pa.string()
    of_one = dataset.to_table(filter=ds.field("cycle") == "2026-11-21")
    assert 3 * of_one.num_rows == dataset.count_rows() > 0


def test_duckdb_reads_all_cycles_as_one_dataset_with_text_as_cycle(archive):
    files = f"{archive.root}/data/v1/pairs/*/*/part.parquet"
    for options in ("hive_partitioning = false", "hive_types_autocast = false"):
        rows = duckdb.sql(f"select cycle, count(*) from read_parquet('{files}', {options}) group by all")
        assert ["VARCHAR", "BIGINT"] == [str(kind) for kind in rows.types]
        assert {"2026-11-21", "2026-12-05", "2026-12-05.r2"} == {cycle for cycle, _count in rows.fetchall()}


def test_row_groups_of_the_series_end_with_a_trial(archive):
    with pq.ParquetFile(archive.root / FIRST.table("trial_series", "parquet")) as file:
        groups = [_trials(file.read_row_group(index)) for index in range(file.num_row_groups)]
        statistics = {
            file.metadata.row_group(0).column(index).path_in_schema
            for index in range(file.metadata.num_columns)
            if file.metadata.row_group(0).column(index).is_stats_set
        }
    trials = [trial for group in groups for trial in group]
    assert sorted(trials) == trials and len(set(trials)) == len(trials) == 35
    assert [10, 10, 10, 5] == [len(group) for group in groups]
    assert set(TRIAL) == statistics


def _trials(rows: pa.Table) -> list[tuple]:
    """The trials of some rows, in their order."""
    return list(dict.fromkeys(tuple(row.values()) for row in rows.select(list(TRIAL)).to_pylist()))


def test_a_row_group_has_a_limit_that_only_one_longer_trial_exceeds(archive, tmp_path, monkeypatch):
    monkeypatch.setattr(tables_v1, "ROW_GROUP", 300)
    write_tables(archive.snapshot, tmp_path, FIRST)
    path = tmp_path / FIRST.table("trial_series", "parquet")
    whole = pq.ParquetFile(archive.root / FIRST.table("trial_series", "parquet")).read()
    assert whole == pq.ParquetFile(path).read()
    metadata = pq.read_metadata(path)
    assert max(metadata.row_group(index).num_rows for index in range(metadata.num_row_groups)) == 220


def test_the_same_snapshot_gives_the_same_bytes(archive, tmp_path):
    assert archive.summaries[FIRST].tables == write_tables(archive.snapshot, tmp_path, FIRST)


def test_a_table_of_very_many_rows_has_no_csv(archive, tmp_path, monkeypatch):
    monkeypatch.setattr("scripts.tables.output.FEWEST_ROWS_WITHOUT_CSV", 100)
    tables = write_tables(archive.snapshot, tmp_path, FIRST)
    without = {table.name for table in tables if len(table.files) == 1}
    assert without == {table.name for table in tables if table.rows >= 100}
    assert not (tmp_path / FIRST.table("trial_series", "csv")).exists()


def test_a_table_without_rows_keeps_its_columns(archive):
    path = archive.root / FIRST.table("changes", "parquet")
    assert (0, "campaign") == (pq.read_metadata(path).num_rows, pq.read_schema(path).names[0])


def test_a_broken_table_is_a_user_error_and_leaves_no_file(tmp_path):
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables/pairs.parquet").write_text("no")
    with pytest.raises(UserError, match=r"pairs\.parquet: not a Parquet table"):
        write_tables(tmp_path, tmp_path / "site", Place("demo", "2026-11-21"))
    assert [] == list((tmp_path / "site").rglob("part*"))
