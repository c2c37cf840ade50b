"""The main results of a setting, which the pages put into words."""

from typing import Any

# A share below this one loses (Prudentia, Observation 1).
LOSING = 0.9


def findings(rows: list[dict[str, Any]], setting: str) -> dict[str, dict[str, Any]]:
    """The findings of a setting by name, each with the rows it counts taken apart.

    Args:
        rows: the table `findings`.
        setting: whose findings.

    Returns:
        Rows of the table; `rows` is a list, each with `services`, and `pair` where they are of one.
    """
    return {
        row["finding"]: row | {"rows": [_counted(key) for key in row["rows"].split(",") if key]}
        for row in rows
        if row["setting"] == setting
    }


def _counted(key: str) -> dict[str, Any]:
    """A row that a finding counts: the services of its key, and the pair they are."""
    services = key.split("/")
    return {"services": services, "pair": "~".join(sorted(services)) if len(services) == 2 else None}


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
