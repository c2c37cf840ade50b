"""Every metric by its name (catalogue.yaml): what it is called, its unit, how it is written."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from scripts.base.records import Number, from_json
from scripts.base.yaml_files import load_yaml

FILE = Path(__file__).with_name("catalogue.yaml")

SHOWN = {
    "fraction": ("%", 100.0),
    "kbps": ("Mbps", 0.001),
    "1/s": ("per s", 1.0),
    "1/min": ("per min", 1.0),
}
"""Units that are shown as another unit, and the factor."""


@dataclass(frozen=True)
class Metric:
    """A metric.

    Attributes:
        name: its name in tables and titles.
        unit: the unit of its values: fraction, Mbps, kbps, ms, s, s/GB, times, lines, packets, 1/s, 1/min.
        decimals: decimals in tables, in the unit in which it is shown.
        shown: `number`: a fraction that nobody writes as percent.
        more: whether more of it is better or worse for the service; None: neither.
        meaning: what it is, in the descriptions of tables, where its name does not say enough.
        minimum, maximum: what no value is below or above.
        alone: whether a service alone has it, too, of those that a service has beside another one.
        relative: whether a value compares its trial with medians of other trials, which scatter too.
        table: the table in which an expectation finds it; None: only summaries of cycles have it.
    """

    name: str
    unit: str
    decimals: int
    shown: Literal["number"] | None = None
    more: Literal["better", "worse"] | None = None
    meaning: str = ""
    minimum: Number | None = None
    maximum: Number | None = None
    alone: bool = False
    relative: bool = False
    table: str | None = None

    @property
    def shown_unit(self) -> str:
        """The unit behind a number; empty for one that has none."""
        return "" if self.shown else SHOWN.get(self.unit, (self.unit, 1.0))[0]

    @property
    def factor(self) -> float:
        """What a value is multiplied by to be shown."""
        return 1.0 if self.shown else SHOWN.get(self.unit, (self.unit, 1.0))[1]

    @property
    def label(self) -> str:
        """The name with the unit, for an axis or a column: `Bitrate (Mbps)`."""
        has_unit = not self.shown_unit or " per " in self.name
        return self.name if has_unit else f"{self.name} ({self.shown_unit})"

    @property
    def words(self) -> str:
        """The name within a sentence, with the unit that its numbers lack: `queueing delay in ms`."""
        first = self.name.split()[0]
        is_word = len(first) > 1 and first[1:].islower() and not first.endswith("’s")
        name = self.name[0].lower() + self.name[1:] if is_word else self.name
        return f"{name} in {self.unit}" if self.unit in ("Mbps", "kbps", "ms", "s") else name


CATALOGUE: dict[str, Metric] = from_json(dict[str, Metric], load_yaml(FILE), str(FILE))
"""Every metric, in the order in which pages list them."""


def metrics_of(table: str) -> dict[str, Metric]:
    """The metrics whose rows a table has."""
    return {name: metric for name, metric in CATALOGUE.items() if metric.table == table}
