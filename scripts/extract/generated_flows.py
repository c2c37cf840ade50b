"""Checks of the generated flows in qoe.json that its schema cannot express: their lists belong together."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

STEPS = ("started_ns", "connected_ns", "first_ns", "last_ns")
"""The times of a flow in their order. A flow that did not reach a step has none of the later times."""


def fault_of(flows: Mapping[str, Any]) -> str | None:
    """What is wrong with an observation `flows` that matches its schema; None if nothing is."""
    lists = {name: values for name, values in flows.items() if isinstance(values, list)}
    if len({len(values) for values in lists.values()}) > 1:
        return "lists of different length"
    if any(later < earlier for name in ("planned_us", "group") for earlier, later in pairwise(lists[name])):
        return "flows out of order"
    every = zip(*(lists[name] for name in STEPS), strict=True)
    if not all(_in_order(times) for times in every):
        return "times of a flow that are out of order"
    sizes = zip(lists["size_bytes"], lists["received_bytes"], lists["last_ns"], strict=True)
    if any(received > size or (received == size) != (last is not None) for size, received, last in sizes):
        return "a flow whose bytes and whose end disagree"
    return None


def _in_order(times: Sequence[int | None]) -> bool:
    """Whether no time is before the one of an earlier step, and no step was left out."""
    reached = [time for time in times if time is not None]
    return list(times[: len(reached)]) == reached == sorted(reached)
