"""The faults of a year, drawn before it begins: which firing of which cycle meets which one."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

Kind = Literal["tree", "one", "weed", "reboot"]

PHASES = {
    "checking": 1,
    "measuring": 10,
    "building": 3,
    "publishing": 4,
    "verifying": 1,
    "pruning": 1,
    "report": 2,
}
"""The phases of a run in their order, and how often each is drawn."""
TYPICAL_S = {
    "checking": 0.1,
    "measuring": 8.0,
    "building": 2.5,
    "publishing": 1.5,
    "verifying": 0.3,
    "pruning": 0.3,
    "report": 2.0,
}
"""How long a phase takes; it only spreads the kills."""
LONGEST = 11
"""The most firings of one cycle that are killed. The other days are left to finish it."""


@dataclass(frozen=True)
class Kill:
    """What is killed (the run, one process, the storage, the host), and how long after a phase began."""

    kind: Kind
    phase: str
    after_s: float


def kills_of_cycles(cycles: int, kills: int, reboots: int, draw: random.Random) -> list[list[Kill]]:
    """The kills of every cycle."""
    parts: list[list[Kill]] = [[] for _ in range(cycles)]
    for number in range(kills + reboots):
        room = [part for part in parts if len(part) < LONGEST]
        draw.choice(room).append(_kill(draw, "reboot" if number < reboots else None))
    return parts


def in_order(kills: Iterable[Kill]) -> list[Kill]:
    """Kills in the order of their phases."""
    order = list(PHASES)
    return sorted(kills, key=lambda kill: order.index(kill.phase))


def _kill(draw: random.Random, kind: Kind | None = None) -> Kill:
    phase = draw.choices(list(PHASES), list(PHASES.values()))[0]
    kinds: list[Kind] = ["tree", "one", "weed"]
    return Kill(kind or draw.choices(kinds, [60, 35, 5])[0], phase, draw.uniform(0, TYPICAL_S[phase]))
