"""The first value that differs between two files of the same name and kind: CSV, JSON, SVG or PNG."""

import csv
import json
from collections.abc import Callable, Iterator
from itertools import zip_longest
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageChops

LONGEST = 80
"""Characters of a value that are told."""

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
                yield f"line {line}: {_told(old)}, rebuilt {_told(new)}"
                return
            for name, before, after in zip_longest(names, old, new):
                if not _same_field(before, after):
                    yield f"line {line}, {name}: {_told(before)}, rebuilt {_told(after)}"


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
        yield f"{place}: {_told(old)}, rebuilt {_told(new)}"


def _svg(published: Path, rebuilt: Path) -> Iterator[str]:
    trees = (ElementTree.parse(path).iter() for path in (published, rebuilt))
    for old, new in zip_longest(*trees):
        if old is None or new is None:
            yield f"elements: {_element(old)}, rebuilt {_element(new)}"
            return
        if (old.tag, old.attrib, old.text) != (new.tag, new.attrib, new.text):
            yield f"{_element(old)}, rebuilt {_element(new)}"


def _element(element: ElementTree.Element | None) -> str:
    """An element, as much as fits in a message."""
    if element is None:
        return "none"
    attributes = " ".join(f"{name}={value}" for name, value in element.attrib.items())
    return _told(f"<{element.tag.rpartition('}')[2]} {attributes}> {element.text or ''}".strip())


def _png(published: Path, rebuilt: Path) -> Iterator[str]:
    with Image.open(published) as one, Image.open(rebuilt) as two:
        if one.size != two.size:
            yield f"{one.size[0]} × {one.size[1]} pixels, rebuilt {two.size[0]} × {two.size[1]}"
        elif box := ImageChops.difference(one.convert("RGBA"), two.convert("RGBA")).getbbox(alpha_only=False):
            yield f"the pixels differ between {box[:2]} and {box[2:]}"


def _told(value: object) -> str:
    """A value in words."""
    text = "nothing" if value is None else str(value)
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


COMPARED: dict[str, Callable[[Path, Path], Iterator[str]]] = {
    ".csv": _csv,
    ".json": _json,
    ".svg": _svg,
    ".png": _png,
}
