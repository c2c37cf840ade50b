"""A trial's key, and where its files are below any of a cycle's folders."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class TrialKey:
    """Setting, pair and number of a trial. The pair of a solo is the service's own name."""

    setting: str
    pair: str
    number: int

    @property
    def nn(self) -> str:
        """The number as directories are named: `07`."""
        return f"{self.number:02d}"

    @property
    def path(self) -> Path:
        """`<setting>/<pair>/<nn>`."""
        return Path(self.setting, self.pair, self.nn)

    @property
    def title(self) -> str:
        """`<setting> <pair> #<number>`, as messages name a trial."""
        return f"{self.setting} {self.pair} #{self.number}"

    @classmethod
    def of(cls, path: Path) -> "TrialKey":
        """The trial whose directory, anywhere, is `path`."""
        setting, pair, nn = path.parts[-3:]
        return cls(setting, pair, int(nn))
