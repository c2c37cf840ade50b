"""Columns of data/v1/ are only added: queries of readers keep working."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from scripts.base.errors import UserError
from scripts.base.files import ROOT
from scripts.site.data.contract import broken, current, extend, missing, promised
from scripts.tables.table_schema import TYPES

CONTRACT = {"pairs": {"setting": "string", "share": "double fraction"}}


def test_no_column_of_v1_was_removed_or_changed():
    assert [] == broken(promised(), current())


def test_v1_lists_every_column():
    assert [] == missing(promised(), current()), "run python -m scripts.site.data.contract"


@pytest.mark.parametrize(
    "path", sorted((ROOT / "data/snapshots/reference/tables").glob("*.parquet")), ids=lambda path: path.stem
)
def test_the_pinned_snapshot_has_no_column_that_v1_lacks_or_types_otherwise(path):
    contract = promised()[path.stem]
    types = {name: TYPES[words.partition(" ")[0]] for name, words in contract.items()}
    assert {} == {
        field.name: field.type for field in pq.read_schema(path) if types.get(field.name) != field.type
    }


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"setting": "string"}, "missing"),
        ({"setting": "string", "portion": "double fraction"}, "missing"),
        ({"setting": "string", "share": "int32 fraction"}, "`int32 fraction`"),
        ({"setting": "string", "share": "double %"}, "`double %`"),
    ],
)
def test_a_removed_renamed_retyped_or_rescaled_column_breaks_the_contract(columns, found, tmp_path):
    (problem,) = broken(CONTRACT, {"pairs": columns})
    assert problem.startswith(
        f"pairs.share: v1 promises `double fraction`, now it is {found}; keep the column"
    )
    with pytest.raises(UserError, match="keep the column and add another one"):
        extend(written(tmp_path), {"pairs": columns})


def test_a_removed_table_breaks_the_contract():
    assert 2 == len(broken(CONTRACT, {}))


def test_added_columns_are_added_to_the_contract(tmp_path):
    tables = {
        "pairs": {"setting": "string", "new": "int32", "share": "double fraction"},
        "more": {"a": "bool"},
    }
    path = written(tmp_path)
    assert ["more.a", "pairs.new"] == sorted(extend(path, tables))
    assert tables == promised(path)
    assert [] == missing(promised(path), tables) == extend(path, tables)


def written(folder: Path) -> Path:
    """A file with CONTRACT."""
    extend(folder / "v1.yaml", CONTRACT)
    return folder / "v1.yaml"
