"""JSON files that commands read: what is wrong with one is told by its name."""

import pytest

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.tables import calibration_table, plan_table


def test_an_object_is_read(tmp_path):
    (tmp_path / "a.json").write_text('{"title": "ä"}', encoding="utf-8")
    assert {"title": "ä"} == read_json(tmp_path / "a.json")


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"{", "is no JSON: Expecting property name"),
        (b"\xff", "is no JSON: 'utf-8' codec"),
        (b"", "is no JSON: Expecting value"),
        (b"[]", "a JSON object is needed; write it again"),
    ],
)
def test_what_is_no_object_is_told_with_the_file(tmp_path, content, told):
    path = tmp_path / "a.json"
    path.write_bytes(content)
    with pytest.raises(UserError) as error:
        read_json(path)
    assert str(error.value).startswith(f"{path}: {told}")


@pytest.mark.parametrize(("name", "told"), [("absent", "No such file or directory"), ("", "Is a directory")])
def test_what_cannot_be_read_is_told_with_the_reason(tmp_path, name, told):
    with pytest.raises(UserError) as error:
        read_json(tmp_path / name)
    assert f"{tmp_path / name}: cannot be read: {told}" == str(error.value)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (calibration_table.main, ["trial", "absent", "absent"]),
        (plan_table.main, ["absent", "--rows", "absent"]),
    ],
)
def test_a_broken_configuration_is_told_in_one_line(tmp_path, capsys, command, words):
    config = tmp_path / "config.json"
    config.write_text("{")
    assert command([*words, "--config", str(config), "-o", str(tmp_path / "out")]) == 2
    said = capsys.readouterr().err
    assert said.startswith(f"error: {config}: is no JSON") and said.count("\n") == 1
