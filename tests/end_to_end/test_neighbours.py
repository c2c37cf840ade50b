"""The published table about other work on the host is that of the measured rows."""

import csv
import json

import pytest

from tests.end_to_end.neighbours_table import ROWS, TABLE, table


def test_the_table_is_made_of_the_rows():
    rows = csv.DictReader(ROWS.read_text(encoding="utf-8").splitlines())
    assert table(rows) == json.loads(TABLE.read_text(encoding="utf-8"))


def row(rate_mbps, neighbour, share):
    figures = dict.fromkeys(
        ["sender_wait_fraction", "client_wait_fraction", "lateness_p99_fraction", "longest_stall_rtt"], "0.5"
    )
    key = {"workload": "a video", "rate_mbps": str(rate_mbps), "neighbour": neighbour, "broken": ""}
    return key | figures | {"share": str(share)}


def test_a_difference_is_the_mean_over_the_links_whatever_their_shares_are():
    """Between links the shares differ by 0.5, beside a browser by 0.1: the interval knows only the latter."""
    rows = [row(8, "nobody", share) for share in (0.19, 0.21)] + [
        row(50, "nobody", share) for share in (0.7, 0.7)
    ]
    for neighbour in ("two loops", "a browser", "two loops, not first"):
        rows += [row(8, neighbour, 0.3), row(50, neighbour, 0.8)]
    loops, *_ = table(rows)["differences"]
    assert pytest.approx(0.1) == loops["share"]
    assert (0.095, 0.105) == (loops["low"], loops["high"])
