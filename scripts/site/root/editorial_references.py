"""What the references of an editorial text stand for. A reference is a shortcode of Hugo with named keys:

    {{< figure setting=… service=… contender=… metric=… >}}    a figure by the keys that expectations have
    {{< figure … show=value >}}                                without its interval, if it has one
    {{< figure … show=verdict >}}                              the verdict on a share
    {{< expectation name=… >}}                                 the verdict on an expectation
    {{< chart name=… >}}                                       a chart

Values with other characters than letters, digits, `-` and `_` are quoted. Exactly one cycle of the page must
have what a reference names. If two have it, the key `cycle` says which: `cycle="demo/2026-11-21"`.
"""

import json
import operator
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from functools import reduce
from pathlib import Path
from typing import Any, Literal
from xml.etree import ElementTree

import pyarrow.compute as pc

from scripts.base.errors import UserError
from scripts.base.records import from_json
from scripts.charts.table_files import rows_if_there
from scripts.figures.catalogue import CATALOGUE
from scripts.figures.figure import SHARE
from scripts.figures.words import several, verdict_words
from scripts.model.expectations import FigureKey
from scripts.model.pairs import contender_name, is_solo, members
from scripts.model.schemas import check
from scripts.site import Row
from scripts.site.root.archive_cycles import Cycle
from scripts.site.root.history_pages import cycle_entry
from scripts.site.root.paper_axis import MeasuredNumber, in_words

_SHORTCODE = re.compile(r"\{\{<\s*(\w+)\s*(.*?)\s*>\}\}", re.DOTALL)


@dataclass(frozen=True, kw_only=True)
class FigureReference(FigureKey):
    """A figure. Without `show` it is its value, its interval and its trials."""

    show: Literal["value", "verdict"] | None = None


@dataclass(frozen=True)
class NamedReference:
    """An expectation or a chart."""

    name: str


def answers(
    text: str, cycles: Mapping[str, Cycle], site: Path, file: Path, first_line: int
) -> dict[str, Row]:
    """What every reference of a text stands for, by `jsonify (slice .Name .Params)` of its shortcode.

    Args:
        text: the text, in Markdown.
        cycles: its cycles by <campaign>/<cycle>.
        site: the root of the site, which has their tables and charts.
        file: the file that an error names.
        first_line: the line of the file with which the text begins.

    Raises:
        UserError: no cycle has what a reference names, or two have it; or it is not written as above.
    """
    found = {}
    for match in _SHORTCODE.finditer(text):
        kind, given = match[1], " ".join(match[2].split())
        line = first_line + text.count("\n", 0, match.start())
        origin = f"{file}:{line}: {kind} {given}"
        keys = _keys(given, origin)
        name = json.dumps([kind, keys], sort_keys=True, separators=(",", ":"))
        found[name] = _answer(kind, keys, cycles, site, origin)
    return found


def _keys(given: str, origin: str) -> dict[str, str]:
    """The keys of a reference with their values."""
    try:
        words = shlex.split(given)
    except ValueError as error:
        raise UserError(f"{origin}: {error}") from error
    for word in words:
        if "=" not in word:
            raise UserError(f"{origin}: {word}: write key=value")
    return dict(word.split("=", 1) for word in words)


def _answer(kind: str, keys: Mapping[str, str], cycles: Mapping[str, Cycle], site: Path, origin: str) -> Row:
    """What the only cycle that has it makes of a reference."""
    if kind not in _KINDS:
        raise UserError(f"{origin}: {kind} is not one of {', '.join(_KINDS)}")
    record, row_of = _KINDS[kind]
    own = {key: value for key, value in keys.items() if key != "cycle"}
    check(own, record, lambda _keys: origin)
    reference: Any = from_json(record, own, origin)
    chosen = {name: cycle for name, cycle in cycles.items() if keys.get("cycle", name) == name}
    found = {name: row for name, cycle in chosen.items() if (row := row_of(cycle, reference, site))}
    if len(found) != 1:
        owners = (
            f"{' and '.join(found)} have it; add the key cycle" if found else "no cycle of this page has it"
        )
        raise UserError(f"{origin}: {owners}")
    return next(iter(found.values()))


def _figure(cycle: Cycle, reference: FigureReference, site: Path) -> Row | None:
    """The words of a figure, with a link to its pair; None if the cycle has no such figure."""
    contender = contender_name(members(reference.contender)) if reference.contender else ""
    key = {one.name: getattr(reference, one.name) for one in fields(FigureKey)} | {"contender": contender}
    if reference.show == "verdict":
        words, certainty = _verdict(cycle, key), ""
    else:
        words, certainty = _numbers(cycle, key, site, reference.show == "value")
    if not words:
        return None
    room = "solos" if is_solo(reference.pair) else "pairs"
    page = cycle.page(f"{room}/{reference.setting}/{reference.pair}/") or cycle.pages
    return {"words": words, "certainty": certainty, "page": page}


def _verdict(cycle: Cycle, key: Mapping[str, str]) -> str:
    """The verdict on a share; empty without one."""
    names = ("setting", "service", "contender", "instance")
    wanted = [key[name] for name in names]
    rows = (row for row in cycle.figures if (row.figure, key["metric"]) == (SHARE, SHARE))
    return next(
        (verdict_words(row) or "" for row in rows if [getattr(row, name) for name in names] == wanted), ""
    )


def _numbers(cycle: Cycle, key: Mapping[str, str], site: Path, bare: bool) -> tuple[str, str]:
    """The median of a figure in words, and how sure it is; both empty without a value.

    A value with an interval may be `bare`. One that was only seen always says so.
    """
    metric = CATALOGUE.get(key["metric"])
    table = site / cycle.summary.place.table("figures", "parquet")
    where = reduce(operator.and_, (pc.field(name) == value for name, value in key.items()))
    where &= pc.field("median").is_valid()
    rows = rows_if_there(table.parent, table.stem, MeasuredNumber, where)
    if metric is None or not rows:
        return "", ""
    (row,) = rows
    words = in_words(metric, rows)
    if not words["interval"]:
        return words["words"], f"seen in {several(row.n, 'trial')}"
    if bare:
        return words["words"], ""
    unit = f"\u00a0{metric.shown_unit}" if metric.shown_unit else ""
    return words["words"], f"95\u00a0% interval {words['interval']}{unit}, {words['trials']}"


def _expectation(cycle: Cycle, reference: NamedReference, _site: Path) -> Row | None:
    """The verdict on an expectation, with a link to it."""
    named = [one for one in cycle.summary.expectations if one.name == reference.name]
    return {"words": named[0].verdict, "page": f"{cycle.pages}#expected"} if named else None


def _chart(cycle: Cycle, reference: NamedReference, site: Path) -> Row | None:
    """The address, the size and the description of a chart."""
    if reference.name not in cycle.summary.charts:
        return None
    address = f"{cycle.pages}charts/{reference.name}.svg"
    picture = ElementTree.parse(site / address).getroot()
    facts = {"alt": picture.get("aria-label"), "width": picture.get("width"), "height": picture.get("height")}
    return facts | {"address": address, "cycle": cycle_entry(cycle), "campaign": cycle.summary.campaign}


_KINDS: dict[str, tuple[type, Callable[[Cycle, Any, Path], Row | None]]] = {
    "figure": (FigureReference, _figure),
    "expectation": (NamedReference, _expectation),
    "chart": (NamedReference, _chart),
}
"""The record of each kind of reference, and the function that makes its row."""
