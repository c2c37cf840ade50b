"""Which services can be ranked: a rank compares services that met the same opponents."""

from collections.abc import Iterable

SMALLEST_GROUP = 3
"""With fewer services no two of them have an opponent in common."""


def rankable(met: Iterable[tuple[str, str]]) -> list[str]:
    """The largest group of services that have all met each other: all have met the same opponents.

    Args:
        met: pairs of services that met; their order does not matter, and a self-pair says nothing.

    Returns:
        The group in alphabetical order; the first in that order if several are as large. Empty if the largest
        has fewer than three services.

    Source: Bron and Kerbosch 1973, Algorithm 457: all cliques of an undirected graph, here with a bound.
    """
    opponents: dict[str, set[str]] = {}
    for one, other in met:
        if one != other:
            opponents.setdefault(one, set()).add(other)
            opponents.setdefault(other, set()).add(one)
    group = _largest([], sorted(opponents), opponents, [])
    return group if len(group) >= SMALLEST_GROUP else []


def _largest(
    group: list[str], candidates: list[str], opponents: dict[str, set[str]], best: list[str]
) -> list[str]:
    """The larger of `best` and the largest group that extends `group` by some of the candidates."""
    if len(group) > len(best):
        best = group
    for place, service in enumerate(candidates):
        if len(group) + len(candidates) - place <= len(best):
            break
        further = [other for other in candidates[place + 1 :] if other in opponents[service]]
        best = _largest([*group, service], further, opponents, best)
    return best
