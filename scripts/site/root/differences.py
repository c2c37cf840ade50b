"""What differs between two cycles besides the figures: the method, the code and the host."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from scripts.site.data.summary import Summary

Kind = Literal["method", "code", "host"]
KINDS: tuple[Kind, ...] = ("method", "code", "host")

HOST = ("kernel", "cpus")
"""The keys of Summary.host that a cycle does not change by itself, unlike the load."""

COMMIT_LETTERS = 10


@dataclass(frozen=True)
class Difference:
    """A key whose value differs, in words; None where a cycle lacks it."""

    kind: Kind
    key: str
    before: str | None
    after: str | None

    @property
    def words(self) -> str:
        """Both values, such as `trial.duration_s: 60, then 30`."""
        return f"{self.key}: {self.before or 'nothing'}, then {self.after or 'nothing'}"


def differences(before: Summary, after: Summary, setting: str | None = None) -> list[Difference]:
    """Everything that differs between two cycles, by kind and key.

    A setting that only one of them has is no difference of the method.

    Args:
        before: the earlier cycle.
        after: the later cycle.
        setting: leave out what concerns other settings only.
    """
    names = {setting} if setting else {one.name for one in before.settings}
    common = names & {one.name for one in before.settings} & {one.name for one in after.settings}
    pairs: dict[Kind, tuple[Mapping[str, object], Mapping[str, object]]] = {
        "method": (_method(before, common), _method(after, common)),
        "code": ({"commit": before.commit}, {"commit": after.commit}),
        "host": (_host(before), _host(after)),
    }
    return [found for kind in KINDS for found in _different(kind, *pairs[kind])]


def _method(summary: Summary, settings: set[str]) -> dict[str, object]:
    """The keys of the method, of settings only those given."""
    return {
        key: value
        for key, value in summary.method.items()
        if not key.startswith("settings.") or key.split(".")[1] in settings
    }


def _host(summary: Summary) -> dict[str, object]:
    """The testbed without what differs in every cycle: the load, and how many trials a switch carried."""
    switches = sorted(re.sub(r" \(\d+ trials?\)$", "", words) for words in summary.bottlenecks)
    fixed: dict[str, object] = {key: summary.host.get(key) for key in HOST}
    return fixed | {"bottleneck": ", ".join(switches) or None} | summary.programs


def _different(kind: Kind, one: Mapping[str, object], other: Mapping[str, object]) -> Iterator[Difference]:
    for key in sorted(one.keys() | other.keys()):
        if one.get(key) != other.get(key):
            yield Difference(kind, key, _words(kind, one.get(key)), _words(kind, other.get(key)))


def _words(kind: Kind, value: object) -> str | None:
    if value is None:
        return None
    return str(value)[:COMMIT_LETTERS] if kind == "code" else str(value)
