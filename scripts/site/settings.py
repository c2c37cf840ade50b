"""The settings of the published archive: config/site.yaml."""

from dataclasses import dataclass
from pathlib import Path

from scripts.base.files import ROOT
from scripts.base.records import from_json
from scripts.base.yaml_files import load_yaml
from scripts.model.schemas import check

FILE = ROOT / "config/site.yaml"


@dataclass(frozen=True)
class Settings:
    """The settings of the archive.

    Attributes:
        campaign: its latest cycle is the front page.
        address: the URL of the site, which ends with a slash.
        captures: the base of the addresses of captures and logs: a folder of the site or a URL, ends with
            a slash.
        doi: the DOI of the data, which all cycles share; None without one.
    """

    campaign: str
    address: str
    captures: str
    doi: str | None = None


def read_settings(path: Path = FILE) -> Settings:
    """Read config/site.yaml.

    Raises:
        UserError: the file cannot be read, or breaks its schema.
    """
    content = load_yaml(path)
    check(content, "site", lambda _keys: str(path))
    return from_json(Settings, content, str(path))
