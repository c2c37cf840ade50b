"""The first value that differs between two files of the same name and kind: CSV, JSON, SVG or PNG."""

import csv
import json
from collections.abc import Callable, Iterator
from itertools import takewhile, zip_longest
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageChops

LONGEST = 80
"""Characters of a value that are told, around the first that differs."""

ABSENT = "nothing"
"""What a JSON object has under a key that it lacks, in words."""


def first_difference(published: Path, rebuilt: Path) -> str | None:
    """Where two files differ first, in words; None if they hold the same values in other bytes."""
    compare = COMPARED.get(published.suffix)
    try:
        return "the bytes differ" if compare is None else next(compare(published, rebuilt), None)
    except (ValueError, OSError, csv.Error, ElementTree.ParseError) as error:
        return f"cannot be compared by value: {error}"


def _csv(published: Path, rebuilt: Path) -> Iterator[str]:
    with (
        published.open(newline="", encoding="utf-8") as one,
        rebuilt.open(newline="", encoding="utf-8") as two,
    ):
        names: list[str] = []
        for line, (old, new) in enumerate(zip_longest(csv.reader(one), csv.reader(two)), start=1):
            names = names or old or []
            if old is None or new is None:
                yield f"line {line}: {_told(old, new)}"
                return
            for name, before, after in zip_longest(names, old, new):
                if not _same_field(before, after):
                    yield f"line {line}, {name}: {_told(before, after)}"


def _same_field(one: str | None, other: str | None) -> bool:
    """Whether two fields are the same text or the same number."""
    try:
        return one == other or float(one or "") == float(other or "")
    except ValueError:
        return False


def _json(published: Path, rebuilt: Path) -> Iterator[str]:
    yield from _values("", *(json.loads(path.read_text(encoding="utf-8")) for path in (published, rebuilt)))


def _values(place: str, old: object, new: object) -> Iterator[str]:
    """The values that differ in two parts of JSON files."""
    if isinstance(old, dict) and isinstance(new, dict):
        for name in {**old, **new}:
            yield from _values(f"{place}.{name}".lstrip("."), old.get(name, ABSENT), new.get(name, ABSENT))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _values(f"{place}[{number}]", before, after)
    elif isinstance(old, bool) != isinstance(new, bool) or (old != new and (old == old or new == new)):
        yield f"{place}: {_told(*('null' if value is None else value for value in (old, new)))}"


def _svg(published: Path, rebuilt: Path) -> Iterator[str]:
    trees = (ElementTree.parse(path).iter() for path in (published, rebuilt))
    for old, new in zip_longest(*trees):
        if old is None or new is None or old.tag != new.tag:
            yield f"elements: {_told(_tag(old), _tag(new))}"
            return
        if old.text != new.text:
            yield f"text: {_told(old.text, new.text)}"
        for name in {**old.attrib, **new.attrib}:
            if old.get(name) != new.get(name):
                yield f"{_tag(old)}, {name}: {_told(old.get(name), new.get(name))}"


def _tag(element: ElementTree.Element | None) -> str:
    return "none" if element is None else f"<{element.tag.rpartition('}')[2]}>"


def _png(published: Path, rebuilt: Path) -> Iterator[str]:
    with Image.open(published) as one, Image.open(rebuilt) as two:
        if one.size != two.size:
            yield f"{one.size[0]} × {one.size[1]} pixels, rebuilt {two.size[0]} × {two.size[1]}"
        elif box := ImageChops.difference(one.convert("RGBA"), two.convert("RGBA")).getbbox(alpha_only=False):
            yield f"the pixels differ between {box[:2]} and {box[2:]}"


def _told(old: object, new: object) -> str:
    """Two values in words; of long ones the part where they differ."""
    before, after = (ABSENT if value is None else str(value) for value in (old, new))
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(before, after, strict=False)))
    start = 0 if max(len(before), len(after)) <= LONGEST else max(0, same - LONGEST // 2)
    return f"{_part(before, start)}, rebuilt {_part(after, start)}"


def _part(text: str, start: int) -> str:
    end = start + LONGEST
    return f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"


COMPARED: dict[str, Callable[[Path, Path], Iterator[str]]] = {
    ".csv": _csv,
    ".json": _json,
    ".svg": _svg,
    ".png": _png,
}
