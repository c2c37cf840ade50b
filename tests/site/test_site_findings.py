"""The main results of a setting, from rows made by hand."""

from scripts.site.findings import bouts, findings


def row(incumbent: str, contender: str, share: float | None, **more) -> dict:
    """A row of `pairs` with an allocation of 4 Mbps."""
    return {
        "pair": "~".join(sorted((incumbent, contender))),
        "incumbent": incumbent,
        "contender": contender,
        "share_median": share,
        "share_low": None if share is None else share - 0.1,
        "n": 6,
        "allocation_mbps": 4.0,
        "wire_rate_mbps_median": None if share is None else 4 * share,
        "utilization_median": 0.9,
        "loss_rate_median": 0.01,
        "queueing_delay_ms_median": 50.0,
        **more,
    }


ROWS = [
    row("a", "a", 0.98),
    row("a", "b", 0.5, loss_rate_median=0.2, n=5, share_low=None),
    row("b", "a", 1.4),
    row("a", "c", 0.95),
    row("c", "a", 1.05, queueing_delay_ms_median=90.0),
    row("b", "c", None, utilization_median=None, loss_rate_median=None, queueing_delay_ms_median=None),
    row("c", "b", None),
]


def test_losing_is_below_90_percent_and_winning_above_110():
    found = findings(ROWS)
    assert (found["cells"], found["losing"], found["winning"]) == (5, 1, 1)


def test_the_extremes_are_the_rows_they_come_from():
    found = findings(ROWS)
    assert ROWS[1] is found["worst"] and ROWS[1] is found["loss_highest"]
    assert ROWS[4] is found["delay_highest"]


def test_one_cell_without_an_interval_is_enough_to_say_so():
    assert findings(ROWS)["intervals"] is False
    assert findings([ROWS[0], ROWS[2]])["intervals"] is True


def test_without_a_valid_trial_there_is_nothing_to_tell():
    assert findings([ROWS[5]]) == {"cells": 0}


def test_bouts_put_the_most_unfair_first_and_leave_out_what_was_not_measured():
    found = bouts(ROWS, 8)
    assert [bout["pair"] for bout in found] == ["a~b", "a~c"]
    assert (found[0]["winner"]["service"], found[0]["loser"]["service"]) == ("b", "a")
    assert (found[0]["winner"]["part"], found[0]["loser"]["part"], found[0]["fair_part"]) == (0.7, 0.25, 0.5)
    assert [bout["even"] for bout in found] == [False, True]
