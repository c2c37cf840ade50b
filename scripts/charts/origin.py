"""Where the data of a chart come from: the line below every chart, and the same in its other files."""

from dataclasses import dataclass, replace
from pathlib import Path

from scripts.base.records import read_record

SOURCE = "Internet Fairness Observatory"
LICENCE = "CC BY 4.0"


@dataclass(frozen=True)
class ChartOrigin:
    """The cycle that a chart shows, and its setting; None where it shows several settings."""

    campaign: str
    cycle: str
    setting: str | None = None

    def of(self, setting: str | None) -> "ChartOrigin":
        """The same cycle in one setting."""
        return replace(self, setting=setting)

    @property
    def line(self) -> str:
        """The line below the chart."""
        setting = f", setting {self.setting}" if self.setting else ""
        return f"{SOURCE}, campaign {self.campaign}, cycle {self.cycle}{setting}. {LICENCE}"

    @property
    def fields(self) -> dict[str, str | None]:
        """The same in parts, for the other files."""
        return {
            "source": self.line,
            "campaign": self.campaign,
            "cycle": self.cycle,
            "setting": self.setting,
            "licence": LICENCE,
        }


@dataclass(frozen=True)
class _Described:
    """The part of tables/cycle.json that is read here."""

    campaign: str
    cycle: str


def read_origin(tables: Path) -> ChartOrigin:
    """The cycle of a folder of tables.

    Raises:
        UserError: cycle.json is missing, or is wrong.
    """
    described = read_record(_Described, tables / "cycle.json")
    return ChartOrigin(described.campaign, described.cycle)
