"""The main results of a setting as facts, which the front page puts into words."""

from typing import Any

# A share below the first loses, above the second wins (Prudentia, Observation 1).
LOSING, WINNING = 0.9, 1.1


def findings(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The extremes of a setting.

    Args:
        rows: the rows of `pairs` of this setting.

    Returns:
        worst: the row with the lowest share; counts of cells that lose and win; the rows with the
        lowest and highest utilization, the highest loss rate and queueing delay; the smallest and
        largest n; whether every cell has an interval. Nothing but `cells` = 0 if no trial counted.
    """
    known = [row for row in rows if row["share_median"] is not None]
    if not known:
        return {"cells": 0}
    return {
        "cells": len(known),
        "losing": sum(row["share_median"] < LOSING for row in known),
        "winning": sum(row["share_median"] > WINNING for row in known),
        "worst": _lowest(known, "share_median"),
        "utilization_lowest": _lowest(known, "utilization_median"),
        "utilization_highest": _highest(known, "utilization_median"),
        "loss_highest": _highest(known, "loss_rate_median"),
        "delay_highest": _highest(known, "queueing_delay_ms_median"),
        "n_smallest": min(row["n"] for row in known),
        "n_largest": max(row["n"] for row in known),
        "intervals": all(row["share_low"] is not None for row in known),
    }


def bouts(rows: list[dict[str, Any]], rate_mbps: float) -> list[dict[str, Any]]:
    """The pairs of two different services, the most unfair first, each as winner and loser.

    Args:
        rows: the rows of `pairs` of one setting.
        rate_mbps: the capacity, of which `part` is a fraction.
    """
    by_key = {(row["incumbent"], row["contender"]): row for row in rows if row["share_median"] is not None}
    met = []
    for (incumbent, contender), row in sorted(by_key.items()):
        other = by_key.get((contender, incumbent))
        if incumbent >= contender or other is None:
            continue
        loser, winner = sorted((row, other), key=lambda side: side["share_median"])
        met.append(
            {
                "pair": row["pair"],
                "n": row["n"],
                "winner": _side(winner, rate_mbps),
                "loser": _side(loser, rate_mbps),
                "fair_part": winner["allocation_mbps"] / rate_mbps,
                "even": loser["share_median"] >= LOSING,
            }
        )
    return sorted(met, key=lambda bout: bout["loser"]["share"])


def _side(row: dict[str, Any], rate_mbps: float) -> dict[str, Any]:
    return {
        "service": row["incumbent"],
        "share": row["share_median"],
        "part": row["wire_rate_mbps_median"] / rate_mbps,
    }


def _lowest(rows: list[dict[str, Any]], column: str) -> dict[str, Any] | None:
    return min((row for row in rows if row[column] is not None), key=lambda row: row[column], default=None)


def _highest(rows: list[dict[str, Any]], column: str) -> dict[str, Any] | None:
    return max((row for row in rows if row[column] is not None), key=lambda row: row[column], default=None)
