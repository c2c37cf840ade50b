"""The temporary files of DuckDB lie where nobody could put a link before."""

import tempfile

from scripts.tables.database import connect

LARGE = "create table t as select range as a, hash(range)::varchar as b from range(1000000)"


def test_a_folder_that_somebody_made_before_is_not_used(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    names = set()
    for _ in range(2):
        with connect() as connection:
            before = {*tmp_path.iterdir()}
            connection.execute("set memory_limit = '10MB'; set threads = 1")
            connection.execute(LARGE)
            (folder,) = {*tmp_path.iterdir()} - before
            assert [*folder.iterdir()] and not folder.stat().st_mode & 0o022
            names.add(folder.name)
        folder.mkdir()  # Whoever saw the name makes it anew, too late.
    assert len(names) == 2


def test_nothing_is_left_of_them(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with connect() as connection:
        connection.execute("set memory_limit = '10MB'; set threads = 1")
        connection.execute(LARGE)
        assert [*tmp_path.iterdir()]
    assert [] == [*tmp_path.iterdir()]
