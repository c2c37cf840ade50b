"""The settings of the published archive: config/site.yaml."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.records import from_json
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check

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
    """The settings of the archive.

    Attributes:
        campaign: its latest cycle is the front page.
        address: the URL of the site, which ends with a slash.
        captures: the base of the addresses of captures and logs: a folder of the site or a URL, ends with
            a slash.
        doi: the DOI of the data, which all cycles share; None without one.
        submit: how to hand in a submission, in a line of text; None: none is taken.
        unlisted: what unlisted pages say. No file has this setting; None for the archive.
    """

    campaign: str
    address: str
    captures: str
    doi: str | None = None
    submit: str | None = None
    unlisted: Unlisted | None = None


def read_settings(path: Path = FILE) -> SiteSettings:
    """Read config/site.yaml.

    Raises:
        UserError: the file cannot be read, or breaks its schema.
    """
    content = load_yaml(path)
    check(content, "site", lambda _keys: str(path))
    return from_json(SiteSettings, content, str(path))
