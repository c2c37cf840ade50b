"""The settings of the published archive: config/site.yaml."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from scripts.base.files import ROOT
from scripts.base.records import about
from scripts.model.schemas import read_checked

FILE = ROOT / "config/site.yaml"


@dataclass(frozen=True)
class Unlisted:
    """The pages of a submission until its release: only who has their address finds them.

    Attributes:
        until: the day of the release (ISO 8601), as the pages name it; None: they name none.
    """

    until: str | None = None


@dataclass(frozen=True)
class SiteSettings:
    """The published archive. Pages of published cycles keep the addresses that they were built with."""

    campaign: Annotated[str, about(pattern="^[a-z0-9-]+$")]
    """The campaign whose latest cycle is the front page, and the target of /latest/. Until it has a cycle,
    the front page shows the latest cycle of any campaign."""
    address: Annotated[str, about(pattern="^https?://[^?# ]+/$")]
    """The URL of the site. Feeds, the sitemap, the page for missing addresses, and what pages tell other
    programs about themselves (permanent address, citation, picture) need it. All other links are relative.
    http://localhost:8000/ is that of `make serve`."""
    captures: Annotated[str, about(pattern="^(https?://[^?# ]+|[a-z0-9-]+)/$")]
    """The base of the addresses of captures and logs: below the site, such as captures/, or in object
    storage, such as https://captures.example.org/."""
    doi: Annotated[str | None, about(pattern=r"^10\.[0-9]{4,9}/[^ ]+$")] = None
    """The DOI of the data, such as 10.5281/zenodo.1234567, if a repository gave one to all versions. Pages
    and their citations then name it."""
    submit: Annotated[str | None, about(minLength=1, maxLength=300, pattern=r"^[^\n\r]+$")] = None
    """How to hand in a submission, in one line of text, as the page submit/ says it: `Send the file to
    submissions@observatory.example.org`. Without it the page says that none is taken."""
    unlisted: Annotated[Unlisted | None, about(in_file=False)] = None
    """What unlisted pages say; None for the archive."""


def read_settings(path: Path = FILE) -> SiteSettings:
    """Read config/site.yaml.

    Raises:
        UserError: the file cannot be read, or breaks its schema.
    """
    return read_checked(SiteSettings, path)
