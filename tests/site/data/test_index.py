"""data/v1/index.json: one fetch finds every table, column, cycle and file."""

import json

from scripts.site.data.index import ADDRESS, write_index
from scripts.snapshot.checksums import digest
from scripts.tables.table_schema import FOLDER
from tests.site.data.conftest import PLACES


def index(root):
    """The parsed index."""
    return json.loads((root / ADDRESS).read_text(encoding="utf-8"))


def test_every_table_is_described_with_its_partition_as_first_columns(archive):
    tables = {table["name"]: table for table in index(archive.root)["tables"]}
    assert {path.stem for path in FOLDER.glob("*.yaml")} == tables.keys()
    pairs = tables["pairs"]
    assert ["campaign", "cycle", "setting", "incumbent", "contender", "instance"] == pairs["key"]
    columns = {column["name"]: column for column in pairs["columns"]}
    assert ["campaign", "cycle", "setting"] == list(columns)[:3]
    assert ("double", "Mbps") == tuple(columns["allocation_mbps"][key] for key in ("type", "unit"))
    assert all(column["meaning"] for table in tables.values() for column in table["columns"])


def test_cycles_are_listed_in_order_and_a_corrected_revision_is_not_current(archive):
    cycles = index(archive.root)["cycles"]
    assert [
        ("2026-11-21", 1, True),
        ("2026-12-05", 1, False),
        ("2026-12-05.r2", 2, True),
    ] == [(cycle["cycle"], cycle["revision"], cycle["current"]) for cycle in cycles]
    assert ("2026-11-21T10:00:00Z", "2026-11-21T10:09:00Z") == (
        cycles[0]["measured_from"],
        cycles[0]["measured_to"],
    )


def test_every_address_is_a_file_with_that_checksum(archive):
    for place, cycle in zip(PLACES, index(archive.root)["cycles"], strict=True):
        assert place.pages == cycle["pages"]
        for table in cycle["tables"]:
            for file in table["files"]:
                path = archive.root / file["address"]
                assert (file["bytes"], file["sha256"]) == (path.stat().st_size, digest(path))
        assert all((archive.root / address).is_file() for address in [*cycle["summary"], cycle["manifest"]])


def test_the_order_of_the_summaries_does_not_matter(archive, tmp_path):
    write_index(tmp_path, [archive.summaries[place] for place in PLACES])
    assert (archive.root / ADDRESS).read_bytes() == (tmp_path / ADDRESS).read_bytes()


def test_an_archive_without_cycles_still_describes_the_tables(tmp_path):
    write_index(tmp_path, [])
    assert [] == index(tmp_path)["cycles"] != index(tmp_path)["tables"]
