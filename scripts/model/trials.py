"""A trial's key, and the path of its files within each of a cycle's folders."""

from dataclasses import dataclass
from pathlib import Path, PurePath

PRIVATE_JSON = "private.json"
"""The file of a trial that is never published: PrivateRecord."""


@dataclass(frozen=True, order=True)
class TrialKey:
    """Setting, pair and number of a trial. The pair of a service alone is the service's name."""

    setting: str
    pair: str
    number: int

    @property
    def nn(self) -> str:
        """The number as in the names of directories: `07`."""
        return f"{self.number:02d}"

    @property
    def path(self) -> Path:
        """`<setting>/<pair>/<nn>`."""
        return Path(self.setting, self.pair, self.nn)

    @property
    def name(self) -> str:
        """`<setting>-<pair>-<nn>`, as the names of its charts contain it."""
        return f"{self.setting}-{self.pair}-{self.nn}"

    @property
    def title(self) -> str:
        """`<setting> <pair> #<number>`, as messages name a trial."""
        return f"{self.setting} {self.pair} #{self.number}"

    @classmethod
    def of(cls, path: PurePath) -> "TrialKey":
        """The key of the trial whose directory is `path`, in any folder."""
        setting, pair, nn = path.parts[-3:]
        return cls(setting, pair, int(nn))
