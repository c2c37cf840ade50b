"""The drawings of a pair: the link, one side swapped for a plain flow, and alone against together."""

from types import SimpleNamespace

import pytest

from scripts.charts.chart_labels import Labels
from scripts.figures.figure import WIRE_RATE
from scripts.site.cycle.cell_series import parties
from scripts.site.cycle.pair_drawings import beside_of, link_of, swaps_of
from tests.site.sample_figures import SLOW, figure, share

PAIR = (SLOW.name, "file~video")


def service(name: str, driver: str, cca: str | None, **more):
    return SimpleNamespace(name=name, driver=driver, cca=cca, **{"flows": 1, "bitrate_mbps": None} | more)


SERVICES = (
    service("file", "batched_download", "bbr", flows=5),
    service("video", "video", "reno", flows=4),
    service("five", "iperf", "bbr", flows=5),
    service("limited", "iperf", "bbr", bitrate_mbps=1),
    service("bbr", "iperf", "bbr"),
    service("reno", "iperf", "reno"),
)
INPUTS = SimpleNamespace(
    labels=Labels(services={name: name.title() for name in ("file", "video", "bbr", "reno")}),
    campaign=SimpleNamespace(
        services={one.name: one for one in SERVICES}, settings={SLOW.name: SimpleNamespace(rate_mbps=8)}
    ),
)


def by_key(*figures):
    return {(one.setting, one.service, one.contender, one.instance, one.figure): one for one in figures}


EVERY = (
    share("video", "file", 0.41),
    share("video", "bbr", 0.85),
    share("reno", "file", 0.26),
    share("reno", "bbr", 0.5),
)


def swaps(*figures, loser="video", pair=PAIR):
    found = swaps_of(INPUTS, by_key(*figures), pair, loser)
    return [(row["title"], row["sub"], row["cells"][0]["strip"]["number"]) for row in found]


def test_either_side_or_both_are_swapped_for_one_flow_of_their_congestion_control():
    assert swaps(*EVERY) == [
        ("Video against File", "this pair", "41\u00a0%"),
        ("Video against Bbr", "File → Bbr", "85\u00a0%"),
        ("Reno against File", "Video → Reno", "26\u00a0%"),
        ("Reno against Bbr", "both plain", "50\u00a0%"),
    ]
    pages = [row["cells"][0]["page"] for row in swaps_of(INPUTS, by_key(*EVERY), PAIR, "video")]
    assert pages[1] == "pairs/8mbps/bbr~video/"


def test_what_was_not_measured_is_left_out_and_one_pair_alone_is_no_contrast():
    assert ["this pair", "both plain"] == [
        row[1] for row in swaps(EVERY[0], EVERY[3], share("reno", "file", None))
    ]
    assert not swaps(EVERY[0])


def test_a_plain_flow_is_not_swapped():
    found = swaps(
        share("bbr", "video", 1.2), share("bbr", "reno", 1.4), loser="bbr", pair=(SLOW.name, "bbr~video")
    )
    assert ["this pair", "Video → Reno"] == [row[1] for row in found]


@pytest.mark.parametrize("pair", ["video~video", "bbr~file~video"])
def test_a_service_against_itself_and_three_services_have_no_swap(pair):
    assert not swaps(*EVERY, pair=(SLOW.name, pair))


def side(name: str, contender: str, instance: str = "first"):
    return {"incumbent": name, "contender": contender, "instance": instance}


def rate(name: str, contender: str, mbps: float, **more):
    return figure(name, contender, WIRE_RATE, mbps, unit="Mbps", **more)


def test_the_link_has_both_services_alone_fair_and_together():
    shares = share("file", "video", 1.55), share("video", "file", 0.4)
    together = rate("file", "video", 6.2), rate("video", "file", 1.6)
    known = by_key(rate("file", "", 7.7), rate("video", "", 7.8), *together, *shares)
    bar = link_of(INPUTS, known, PAIR, [side("file", "video"), side("video", "file")])
    rows = [(row["title"], row["words"]) for row in bar["rows"]]
    assert rows == [
        ("File alone", "7.7\u00a0Mbps"),
        ("Video alone", "7.8\u00a0Mbps"),
        ("Fair", "4.0 and 4.0\u00a0Mbps"),
        ("Together", "6.2 and 1.6\u00a0Mbps"),
    ]


def test_two_instances_of_a_service_are_alone_once():
    instances = [side("file", "file", name) for name in ("worse_off", "better_off")]
    known = by_key(
        rate("file", "", 7.7),
        *(rate("file", "file", mbps, instance=name) for name, mbps in (("worse_off", 3), ("better_off", 5))),
        share("file", "file", 0.75, instance="worse_off"),
    )
    bar = link_of(INPUTS, known, (SLOW.name, "file~file"), instances)
    assert ["File alone", "Fair", "Together"] == [row["title"] for row in bar["rows"]]


def test_a_pair_with_a_side_without_a_share_has_no_link():
    known = by_key(rate("file", "call", 6.2))
    assert link_of(INPUTS, known, (SLOW.name, "call~file"), [side("file", "call")]) is None


def test_alone_against_together_has_one_scale_a_row():
    alone, together = (figure("video", to, "queueing_delay_ms", 120.0, unit="ms") for to in ("", "file"))
    other = figure("file", "video", "queueing_delay_ms", 60.0, unit="ms")
    (row,) = beside_of(by_key(alone, together, other), PAIR)
    assert "Queueing delay, ms" == row["title"]
    first, second = (cell["strip"] for cell in row["cells"])
    assert ["– → 60.0", "120.0 → 120.0"] == [strip["number"] for strip in (first, second)]
    assert "M95 4h.1" == next(mark["d"] for mark in first["marks"] if mark["class"] == "d")
    assert ["e", "d", "m"] == [mark["class"] for mark in second["marks"]]
    assert "M190 4H190" == second["marks"][0]["d"]


def test_a_party_is_a_service_or_an_instance_and_all_further_ones_look_alike():
    looks = {
        pair: [(one.service, one.look) for one in parties(pair)] for pair in ("a", "a~b", "a~b_3", "a~b~c~d")
    }
    assert looks == {
        "a": [("a", "a")],
        "a~b": [("a", "a"), ("b", "b")],
        "a~b_3": [("a", "a"), ("b", "b")],
        "a~b~c~d": [("a", "a"), ("b", "b"), ("c", "c"), ("d", "c")],
    }
    assert [("worse_off", "a"), ("better_off", "b")] == [(one.instance, one.look) for one in parties("a~a")]
