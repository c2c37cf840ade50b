"""Measured distributions: which files are accepted, and what is said about others."""

import pytest

from scripts.base.errors import UserError
from scripts.model.empirical import read_points

HEAD = "value,cumulative\n"


@pytest.fixture
def read(tmp_path):
    def points(text, least=1):
        (tmp_path / "sizes.csv").write_text(text)
        return read_points(tmp_path / "sizes.csv", "a.yaml: generator.sizes_bytes.file", least)

    return points


def test_points_are_read_in_order(read):
    assert ((100, 0.25), (14480, 0.5), (3e7, 1)) == read(HEAD + "100,0.25\n14480,0.5\n3e7,1\n")


def test_a_gap_of_0_is_allowed(read):
    assert ((0, 0.5), (2, 1)) == read(HEAD + "0,0.5\n2,1\n", least=0)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "the first line must be value,cumulative; add it"),
        ("1,0.5\n2,1\n", "the first line must be"),
        (HEAD + "1,1\n", "has 1 points; give at least 2"),
        (HEAD + "1,0.5\n2\n", "point 2: 2 is not two numbers"),
        (HEAD + "1,0.5\nlarge,1\n", "point 2: large,1 is not two numbers"),
        (HEAD + "1,0.5\ninf,1\n", "point 2: inf,1 is not finite"),
        (HEAD + "1,0.5\n1,1\n", "point 2 does not rise"),
        (HEAD + "1,0.5\n2,0.4\n3,1\n", "point 2 does not rise"),
        (HEAD + "0,0.5\n2,1\n", "the value 0 is too small; give values of at least 1"),
        (HEAD + "1,0.5\n2,0.9\n", "the fractions go from 0.5 to 0.9; they must end at 1"),
        (HEAD + "1,-0.5\n2,1\n", "the fractions go from -0.5 to 1"),
    ],
)
def test_what_is_no_distribution_is_refused_with_the_reason(read, text, reason):
    with pytest.raises(UserError) as error:
        read(text)
    assert str(error.value).startswith("a.yaml: generator.sizes_bytes.file: sizes.csv: ")
    assert reason in str(error.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"a\.yaml: file: none\.csv cannot be read; put a CSV file"):
        read_points(tmp_path / "none.csv", "a.yaml: file", 1)
