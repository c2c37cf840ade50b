"""What every step of a run needs to know."""

from dataclasses import dataclass, field
from pathlib import Path

from scripts.model.cycle_names import SNAPSHOTS
from scripts.operate.clock import Clock
from scripts.operate.settings import OperateSettings

FOLDER = "operate"


@dataclass(frozen=True)
class Context:
    """The settings, the folders and the clock of a run.

    Attributes:
        settings: config/operate.yaml.
        data: the folder of all campaigns.
        public: the site.
        clock: the time.
        definition: the campaign's own definition (scripts/plan/campaign_file.py), if it has one.
    """

    settings: OperateSettings
    data: Path
    public: Path
    clock: Clock = field(default_factory=Clock)
    definition: Path | None = None

    @property
    def folder(self) -> Path:
        """The state of unattended operation: records, status, lock."""
        return self.data / FOLDER

    @property
    def snapshots(self) -> Path:
        """The folder of the snapshots."""
        return self.data / SNAPSHOTS

    def cycle(self, name: str) -> Path:
        """The working folder of a cycle of the campaign."""
        return self.data / self.settings.campaign / name
