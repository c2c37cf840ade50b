"""What the story of a cycle is made from."""

from collections.abc import Sequence
from dataclasses import dataclass

from scripts.figures.figure import Figure
from scripts.site.data.service_change import ServiceChange
from scripts.site.data.summary import ServiceSummary, SettingSummary


@dataclass(frozen=True)
class Measured:
    """What the story of a cycle is made from.

    Attributes:
        settings: its settings, in the campaign's order.
        services: its services, likewise.
        figures: its figures.
        counted, excluded: the numbers of trials that count and that do not.
        compared_with: the earlier cycle that it is compared with.
        service_changes: its services compared with that cycle.
        provisional: whether it still runs: then its story has no verdict.
    """

    settings: Sequence[SettingSummary]
    services: Sequence[ServiceSummary]
    figures: Sequence[Figure]
    counted: int
    excluded: int
    compared_with: str | None
    service_changes: Sequence[ServiceChange] = ()
    provisional: bool = False
