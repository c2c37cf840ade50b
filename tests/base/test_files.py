"""JSON files that commands read: an error names the file and what is wrong with it."""

import json
import os

import pytest

from scripts.base.errors import UserError
from scripts.base.files import create_text, read_json, readable_bytes
from scripts.base.records import from_json
from scripts.snapshot.absent import Removed


@pytest.mark.parametrize(
    ("count", "words"),
    [
        (0, "0.0 kB"),
        (705_000, "705 kB"),
        (999_600, "1.0 MB"),
        (3.2e9, "3.2 GB"),
        (25e9, "25 GB"),
        (4e13, "40.0 TB"),
    ],
)
def test_a_number_of_bytes_is_in_the_unit_that_reads_best(count, words):
    assert words == readable_bytes(count)


def test_a_file_is_created_once_though_nfs_loses_the_answer(tmp_path, monkeypatch):
    create_text(tmp_path / "a", "first")
    with pytest.raises(FileExistsError):
        create_text(tmp_path / "a", "second")
    assert "first" == (tmp_path / "a").read_text()
    link = os.link

    def links_and_fails(*paths):
        link(*paths)
        raise FileExistsError

    monkeypatch.setattr(os, "link", links_and_fails)
    create_text(tmp_path / "b", "ours")
    assert ["a", "b"] == sorted(os.listdir(tmp_path))


def test_an_object_is_read(tmp_path):
    (tmp_path / "a.json").write_text('{"title": "ä"}', encoding="utf-8")
    assert {"title": "ä"} == read_json(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "is not valid JSON: Expecting property name"),
        (b"\xff", "is not valid JSON: 'utf-8' codec"),
        (b"", "is not valid JSON: Expecting value"),
        (b"[" * 200_000, "is not valid JSON: it is nested too deeply"),
        (b"[]", "a JSON object is needed; write it again"),
    ],
)
def test_a_file_without_a_json_object_is_an_error_with_its_name(tmp_path, content, message):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read_json(path)
    assert str(error.value).startswith(f"{path}: {message}")


@pytest.mark.parametrize("content", [r'"\ud800"', r'{"path": "\ud800"}', r'{"\ud800": 1}'])
def test_half_a_surrogate_pair_is_an_error(content):
    with pytest.raises(UserError, match="a report: "):
        from_json(Removed, json.loads(content), "a report")


@pytest.mark.parametrize(
    ("name", "reason"), [("absent", "No such file or directory"), ("", "Is a directory")]
)
def test_an_unreadable_file_is_an_error_with_the_reason(tmp_path, name, reason):
    with pytest.raises(UserError) as error:
        read_json(tmp_path / name)
    assert f"{tmp_path / name}: cannot be read: {reason}" == str(error.value)
