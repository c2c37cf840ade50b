"""Where two files differ first, by their kind; other bytes of the same values are no difference."""

import json
from pathlib import Path

import pytest
from PIL import Image

from scripts.snapshot.compared_files import first_difference


def write(folder: Path, name: str, content: str) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(content)
    return folder / name


@pytest.mark.parametrize(
    ("name", "published", "rebuilt", "expected"),
    [
        ("a.csv", "n,x\n1,0.5\n", '"n","x"\r\n1,5e-1\r\n', None),
        ("a.csv", "n,x\n1,0.5\n", "n,x\n1,0.6\n", "line 2, x: 0.5, rebuilt 0.6"),
        ("a.csv", "n,x\n1,\n", "n,x\n1,0\n", "line 2, x: , rebuilt 0"),
        ("a.csv", "n\n1\n", "n\n", "line 2: ['1'], rebuilt nothing"),
        ("a.json", '{"a": [1, 2], "b": 1}', '{"b": 1.0,\n "a": [1, 2]}', None),
        ("a.json", '{"a": [NaN]}', '{"a": [ NaN]}', None),
        ("a.json", '{"a": [1, {"b": 2}]}', '{"a": [1, {"b": 3}]}', "a[1].b: 2, rebuilt 3"),
        ("a.json", '{"a": true}', '{"a": 1}', "a: True, rebuilt 1"),
        ("a.json", '{"a": null}', "{}", "a: null, rebuilt nothing"),
        ("a.svg", '<svg a="1" b="2"/>', '<svg b="2" a="1"></svg>', None),
        ("a.svg", "<svg><text>8.1</text></svg>", "<svg><text>8.2</text></svg>", "text: 8.1, rebuilt 8.2"),
        (
            "a.svg",
            '<svg><path d="M0,1"/></svg>',
            '<svg><path d="M0,2"/></svg>',
            "<path>, d: M0,1, rebuilt M0,2",
        ),
        ("a.svg", "<svg><g/></svg>", "<svg/>", "elements: <g>, rebuilt none"),
        ("a.txt", "a", "b", "the bytes differ"),
    ],
)
def test_the_first_value_that_differs_is_named(tmp_path, name, published, rebuilt, expected):
    pair = write(tmp_path / "published", name, published), write(tmp_path / "rebuilt", name, rebuilt)
    assert expected == first_difference(*pair)


def test_a_damaged_file_is_told_as_such(tmp_path):
    pair = write(tmp_path / "published", "a.json", "{}"), write(tmp_path / "rebuilt", "a.json", "{")
    assert first_difference(*pair).startswith("cannot be compared by value: ")


def test_of_a_long_value_the_part_that_differs_is_told(tmp_path):
    texts = [json.dumps({"a": "x" * 500 + end}) for end in ("1", "2")]
    pair = write(tmp_path / "published", "a.json", texts[0]), write(tmp_path / "rebuilt", "a.json", texts[1])
    assert f"a: …{'x' * 40}1, rebuilt …{'x' * 40}2" == first_difference(*pair)


def test_images_are_compared_by_pixels(tmp_path):
    paths = [tmp_path / f"{number}.png" for number in range(4)]
    for path, size, colour, level in (
        (paths[0], (4, 4), (10, 20, 30, 255), 0),
        (paths[1], (4, 4), (10, 20, 30, 255), 9),
        (paths[2], (4, 4), (10, 20, 30, 254), 9),
        (paths[3], (4, 5), (10, 20, 30, 255), 9),
    ):
        Image.new("RGBA", size, colour).save(path, compress_level=level)
    assert paths[0].read_bytes() != paths[1].read_bytes()
    assert None is first_difference(paths[0], paths[1])
    assert "the pixels differ between (0, 0) and (4, 4)" == first_difference(paths[0], paths[2])
    assert "4 × 4 pixels, rebuilt 4 × 5" == first_difference(paths[0], paths[3])
