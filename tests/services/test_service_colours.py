"""The colours of the catalogue: each can be seen on a light and a dark page, and told from the others."""

from itertools import combinations
from math import dist

import pytest

from scripts.base.files import ROOT
from scripts.base.yaml_files import load_yaml
from scripts.charts.chart_labels import PALETTE, PARTIES, make_labels
from scripts.charts.scales import LOST, WON
from scripts.model.services import read_service
from tests.charts.specs import contrast

COLOURS = {
    path.stem: colour
    for path in sorted((ROOT / "services/catalogue").glob("*.yaml"))
    if (colour := load_yaml(path).get("colour")) is not None
}
PAGES = ("#ffffff", "#fbfaf7", "#14171a", "#1c2024")
APART = 0.035
"""In OKLab, where colours side by side differ from about 0.02 on."""

# Machado et al. 2009, A Physiologically-based Model for Simulation of Color Vision Deficiency, severity 1.
DEFICIENCIES = {
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
}


def linear(colour: str) -> tuple[float, ...]:
    channels = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    return tuple(c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)


def times(matrix: tuple[tuple[float, ...], ...], vector: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix)


def oklab(light: tuple[float, ...]) -> tuple[float, ...]:
    """Ottosson 2020, A perceptual color space for image processing."""
    cones = times(
        (
            (0.4122214708, 0.5363325363, 0.0514459929),
            (0.2119034982, 0.6806995451, 0.1073969566),
            (0.0883024619, 0.2817188376, 0.6299787005),
        ),
        light,
    )
    return times(
        (
            (0.2104542553, 0.7936177850, -0.0040720468),
            (1.9779984951, -2.4285922050, 0.4505937099),
            (0.0259040371, 0.7827717662, -0.8086757660),
        ),
        tuple(max(0.0, cone) ** (1 / 3) for cone in cones),
    )


@pytest.mark.parametrize("colour", [*COLOURS.values(), *PALETTE, *PARTIES])
def test_a_colour_stands_out_on_every_page(colour):
    assert min(contrast(colour, page) for page in PAGES) >= 3


def test_no_two_services_look_alike():
    for (one, colour), (other, its) in combinations(COLOURS.items(), 2):
        assert dist(oklab(linear(colour)), oklab(linear(its))) >= APART, (one, other)


@pytest.mark.parametrize("matrix", DEFICIENCIES.values(), ids=DEFICIENCIES)
def test_colour_blind_readers_can_tell_the_baselines_and_lost_from_won(matrix):
    baselines = [COLOURS[name] for name in ("iperf-bbr", "iperf-cubic", "iperf-reno")]
    for one, other in [*combinations(baselines, 2), (LOST, WON)]:
        assert dist(*(oklab(times(matrix, linear(colour))) for colour in (one, other))) >= 2 * APART


def test_no_service_has_the_colour_of_lost_or_won():
    style = (ROOT / "site/common/assets/css/base.css").read_text()
    words = [style.split(f"--{name}: ")[place][:7] for name in ("losing", "winning") for place in (1, 2)]
    assert {LOST, WON} < {*words}
    for word in words:
        assert all(
            dist(oklab(linear(word)), oklab(linear(colour))) >= 2 * APART for colour in COLOURS.values()
        )


def test_a_service_keeps_its_colour_whatever_others_there_are():
    alone, among = make_labels(["netflix"]), make_labels(["a", "mega", "netflix", "z"])
    assert alone.colours["netflix"] == among.colours["netflix"]


def test_a_colour_is_read_from_the_catalogue():
    assert COLOURS["netflix"] == read_service(ROOT / "services/catalogue/netflix.yaml").colour
