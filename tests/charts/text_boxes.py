"""The texts of an SVG as Chromium lays them out: which overlap, which are cut, and how small they are.

    with local_browser(folder) as browser:
        texts = texts_of(browser, svg, width=390)
        assert [] == texts.overlaps() and [] == texts.cut() and texts.smallest >= 10

The fixture `browser` of tests/charts/conftest.py is such a browser, one for all tests.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import hypot

from selenium import webdriver

TOLERANCE_PX = 1.0

Corner = tuple[float, float]

# A line of text is a `tspan` or a `text` without one. Its box is that of its font, turned as the line is.
_MEASURE = """
const [svg, width] = arguments;
document.body.innerHTML = svg;
document.body.style.margin = 0;
const root = document.body.querySelector('svg');
if (width) { root.setAttribute('width', width); root.removeAttribute('height'); }
const shown = (line) => line.textContent.trim()
  && line.checkVisibility({opacityProperty: true, visibilityProperty: true});
const lines = [...root.querySelectorAll('text, tspan')]
  .filter((line) => !line.querySelector('tspan') && shown(line));
const area = root.getBoundingClientRect();
return {
  width: area.width,
  height: area.height,
  lines: lines.map((line) => {
    const matrix = line.getScreenCTM();
    const start = line.getStartPositionOfChar(0);
    const first = line.getExtentOfChar(0);
    const length = line.getComputedTextLength();
    const at = (x, y) => {
      const point = new DOMPoint(x, y).matrixTransform(matrix);
      return [point.x, point.y];
    };
    const [left, top, bottom] = [start.x, first.y, first.y + first.height];
    return {
      text: line.textContent.trim(),
      size: parseFloat(getComputedStyle(line).fontSize) * Math.hypot(matrix.a, matrix.b),
      corners: [at(left, top), at(left + length, top), at(left + length, bottom), at(left, bottom)],
    };
  }),
};
"""


@dataclass(frozen=True)
class Line:
    """A line of text: the four corners of its box, in order, and its font size; in px as shown."""

    text: str
    size: float
    corners: tuple[Corner, ...]

    @cached_property
    def bounds(self) -> tuple[float, float, float, float]:
        """The smallest and largest x, and the smallest and largest y."""
        across, down = zip(*self.corners, strict=True)
        return min(across), max(across), min(down), max(down)

    def may_touch(self, other: "Line") -> bool:
        """Whether upright boxes around both lines meet; it is quick to tell."""
        left, right, top, bottom = self.bounds
        other_left, other_right, other_top, other_bottom = other.bounds
        return left < other_right and other_left < right and top < other_bottom and other_top < bottom


@dataclass(frozen=True)
class Texts:
    """The lines of text of a picture, and the picture's own size in px."""

    lines: tuple[Line, ...]
    width: float
    height: float

    @property
    def smallest(self) -> float:
        """The smallest font size in px."""
        return min(line.size for line in self.lines)

    def overlaps(self) -> list[tuple[str, str]]:
        """The pairs of texts whose boxes intersect by more than the tolerance."""
        return [
            (one.text, other.text)
            for one, other in combinations(self.lines, 2)
            if one.may_touch(other) and _depth(one.corners, other.corners) > TOLERANCE_PX
        ]

    def cut(self) -> list[str]:
        """The texts that leave the picture."""
        return [line.text for line in self.lines if any(map(self._is_outside, line.corners))]

    def _is_outside(self, corner: Corner) -> bool:
        x, y = corner
        across = -TOLERANCE_PX <= x <= self.width + TOLERANCE_PX
        return not (across and -TOLERANCE_PX <= y <= self.height + TOLERANCE_PX)


def texts_of(browser: webdriver.Chrome, svg: str, width: float | None = None) -> Texts:
    """The visible texts of an SVG.

    Args:
        browser: a browser; it shows the SVG in its own page.
        svg: the text of the SVG.
        width: the width in px at which the picture is shown; None: its own.
    """
    found = browser.execute_script(_MEASURE, svg, width)
    lines = tuple(
        Line(line["text"], line["size"], tuple((x, y) for x, y in line["corners"])) for line in found["lines"]
    )
    return Texts(lines, found["width"], found["height"])


def _depth(one: tuple[Corner, ...], other: tuple[Corner, ...]) -> float:
    """How far two convex boxes reach into each other (separating axes); 0 or less if they are apart."""
    return min(_overlap_along(axis, one, other) for box in (one, other) for axis in _normals(box))


def _normals(corners: tuple[Corner, ...]) -> list[Corner]:
    """The directions of the sides of a box; those of a box without width are left out."""
    sides = [
        (corners[place + 1][0] - corners[place][0], corners[place + 1][1] - corners[place][1])
        for place in (0, 1)
    ]
    return [(x / hypot(x, y), y / hypot(x, y)) for x, y in sides if hypot(x, y) > 0]


def _overlap_along(axis: Corner, one: tuple[Corner, ...], other: tuple[Corner, ...]) -> float:
    (low_1, high_1), (low_2, high_2) = (
        (min(places), max(places))
        for places in ([x * axis[0] + y * axis[1] for x, y in box] for box in (one, other))
    )
    return min(high_1, high_2) - max(low_1, low_2)
