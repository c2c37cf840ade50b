"""The names of pairs."""

import pytest

from scripts.pairs import members, pair_name


@pytest.mark.parametrize(
    ("written", "name", "services"),
    [
        ("b~a", "a~b", ["a", "b"]),
        ("a~a", "a~a", ["a", "a"]),
        ("c~a~b", "a~b~c", ["a", "b", "c"]),
        ("a_2", "a~a", ["a", "a"]),
        ("b_3~a", "a~b_3", ["a", "b", "b", "b"]),
        ("b~a~b~b", "a~b_3", ["a", "b", "b", "b"]),
        ("b_2~a", "a~b~b", ["a", "b", "b"]),
        ("a_3", "a~a_2", ["a", "a", "a"]),
        ("a", "a", ["a"]),
    ],
)
def test_a_pair_has_one_name_however_it_was_written(written, name, services):
    assert services == members(written)
    assert name == pair_name(members(written))
    assert services == members(name)
