"""The addresses of the archive, relative to the root of the site. Folders end with a slash.

    cycles/<campaign>/<cycle>/                                    the pages of a published cycle
    cycles/<campaign>/<cycle>/r2/                                 those of its second revision
    provisional/<campaign>/                                       those of a cycle that still runs
    data/v1/<table>/campaign=<campaign>/cycle=<cycle>/part.parquet
    lean/<campaign>-<cycle>/                                      of a site of lean snapshots, those
    status/status.json                                            how unattended operation stands
    submit/submissions.json                                       how many submissions were withdrawn
    <captures>/<campaign>/<cycle>/<setting>/<pair>/<nn>/          the files of a trial

In data/ and captures/ a later revision is called <cycle>.r2.
"""

import re
from dataclasses import dataclass
from pathlib import Path

OPERATION = "status/status.json"
"""The status of unattended operation, if there is any."""

SUBMISSIONS = "submit/submissions.json"
"""What is published of submissions that were withdrawn: their number."""

REVISION = re.compile(r"r[0-9]+")
"""The name of the folder of a later revision, which is below the folder of the first one."""


@dataclass(frozen=True, order=True)
class Place:
    """A published cycle, by what names it."""

    campaign: str
    cycle: str
    revision: int = 1

    @property
    def label(self) -> str:
        """The name of the cycle with its revision, as data/ and captures/ have it."""
        return self.cycle if self.revision == 1 else f"{self.cycle}.r{self.revision}"

    @property
    def pages(self) -> str:
        """The folder of the cycle's pages."""
        first = f"cycles/{self.campaign}/{self.cycle}/"
        return first if self.revision == 1 else f"{first}r{self.revision}/"

    def table(self, name: str, form: str) -> str:
        """A table's file; `form` is `parquet` or `csv`."""
        return f"data/v1/{name}/campaign={self.campaign}/cycle={self.label}/part.{form}"

    def captures(self, base: str) -> str:
        """The folder of the trials' files, below the base address of captures."""
        return f"{base}{self.campaign}/{self.label}/"


def front_page(site: Path) -> str:
    """The line that names the file of a site's first page."""
    return f"Front page: {site / 'index.html'} (`make serve` shows it at http://localhost:8000)"


def provisional(campaign: str) -> str:
    """The folder of the pages of a campaign's unfinished cycle."""
    return f"provisional/{campaign}/"


def up(folder: str) -> str:
    """The relative address of the site's root from a folder of it, such as `../../../`."""
    return "../" * folder.count("/")
