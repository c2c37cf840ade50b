"""Numbers of papers on an axis: places, open ranges, words."""

import pytest

from scripts.model.expectations import FigureKey
from scripts.site.root.paper_axis import Axis, MeasuredNumber, axis_of, drawing
from scripts.site.root.paper_files import PrintedNumber

SHARES = axis_of("share", ())
ONE = MeasuredNumber(9, 0.75, 0.59, 1.11, None)


@pytest.mark.parametrize(
    ("metric", "values", "start", "end"),
    [
        ("share", (0.1,), 0, 2),
        ("slowdown", (2, 5.5), 0, 10),
        ("slowdown", (1.01, 1.9), 0, 2),
        ("loss_rate", (0.08, 0.04), 0, 0.1),
        ("retransmitted_packets", (1966, 50), 0, 2000),
        ("fness", (-0.7, 0.1), -1, 1),
        ("loss_rate", (0,), 0, 1),
    ],
)
def test_an_axis_ends_at_a_round_number(metric, values, start, end):
    assert Axis(metric, start, end) == axis_of(metric, values)


def test_a_share_in_percent_is_its_own_place_and_larger_ones_are_at_the_end():
    assert [0, 75, 200, 200] == [SHARES.place(value) for value in (0, 0.75, 2, 3)]


def paths(printed, *measured, axis=SHARES):
    """The class and the path of every mark."""
    marks = drawing(printed, measured, axis)["strip"]["marks"]
    return [(mark["class"], mark["d"]) for mark in marks]


@pytest.mark.parametrize(
    ("printed", "drawn"),
    [
        (PrintedNumber(0.21), ["M21 0v8"]),
        (PrintedNumber(low=0.22, high=0.27), ["M22 0v8", "M27 0v8", "M22 1H27"]),
        (PrintedNumber(low=0.95), ["M95 0v8", "M95 1H200"]),
        (PrintedNumber(high=0.5), ["M50 0v8", "M0 1H50"]),
    ],
)
def test_an_open_range_reaches_to_the_end_of_the_axis(printed, drawn):
    assert [("p", path) for path in drawn] == paths(printed)
    assert "words" not in drawing(printed, (), SHARES)


def test_a_measured_number_is_drawn_and_written_with_its_interval():
    printed = PrintedNumber(0.21)
    assert [("i", "M59 4H111"), ("d", "M75 4h.1"), ("p", "M21 0v8")] == paths(printed, ONE)
    drawn = drawing(printed, (ONE,), SHARES)
    assert ("75\u00a0%", "59 to 111", "n\u00a0=\u00a09") == (
        drawn["words"],
        drawn["interval"],
        drawn["trials"],
    )
    few = MeasuredNumber(2, 0.75, None, None, None)
    assert [("d", "M75 4h.1"), ("p", "M21 0v8")] == paths(printed, few)
    assert "" == drawing(printed, (few,), SHARES)["interval"]


def test_several_measured_numbers_are_written_from_the_lowest_to_the_highest():
    drawn = drawing(PrintedNumber(2), (MeasuredNumber(6, 3.5, 3.2, 4, 3.4), ONE), axis_of("slowdown", (4,)))
    assert ("0.75 to ≥\u00a03.50\u00a0times", "2 figures, n\u00a0=\u00a06 to 9") == (
        drawn["words"],
        drawn["trials"],
    )
    assert ("0", "5\u00a0times") == (drawn["start"], drawn["end"])


def test_measured_numbers_that_are_written_alike_are_written_once():
    drawn = drawing(PrintedNumber(0.9), (ONE, MeasuredNumber(6, 0.751, None, None, None)), SHARES)
    assert ("75\u00a0%", "2 figures, n\u00a0=\u00a06 to 9") == (drawn["words"], drawn["trials"])


def test_a_fraction_that_nobody_writes_as_percent_has_no_unit():
    key = FigureKey(setting="1mbps", service="a", contender="b", metric="k_percentile")
    printed = PrintedNumber(0.97, measured=(key,))
    drawn = drawing(printed, (MeasuredNumber(375, 0.95, 0.93, 0.96, None),), axis_of("k_percentile", (0.97,)))
    assert ("0.950", "0.930 to 0.960", "1") == (drawn["words"], drawn["interval"], drawn["end"])
