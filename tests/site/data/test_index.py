"""data/v1/index.json: one fetch finds every table, column, cycle and file."""

import dataclasses
import json
import os
import shutil

from scripts.base.files import digest
from scripts.site.data.index import ADDRESS, write_index
from scripts.site.data.manifest import write_manifest
from scripts.site.data.summarise import write_summary
from scripts.site.data.tables_v1 import write_tables
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


def test_a_file_that_another_site_shares_by_a_hard_link_keeps_its_content(archive, tmp_path):
    place, copy = PLACES[0], tmp_path / "site"
    shutil.copytree(archive.root, copy, copy_function=os.link)
    summary = dataclasses.replace(archive.summaries[place], title="another title")
    before = {path: path.read_bytes() for path in archive.root.rglob("*") if path.is_file()}
    tables = write_tables(archive.snapshot, copy, place)
    write_summary(archive.snapshot, copy / place.pages, place, tables[:1])
    write_manifest(archive.snapshot, copy, copy / place.pages, place, "https://elsewhere.example.org/")
    write_index(copy, [summary])
    assert before == {path: path.read_bytes() for path in before}
    for name in (ADDRESS, place.pages + "summary.json", place.pages + "manifest.parquet"):
        assert (archive.root / name).read_bytes() != (copy / name).read_bytes()
