"""Services and settings as a command line names them. A service is in the catalogue, or an endpoint's folder.

FOLDER is an endpoint with its first congestion control, FOLDER:NAME with another one.
"""

import json
import os.path
import re
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from scripts.base.files import ROOT, digest, write_text
from scripts.base.records import Json
from scripts.base.yaml_files import load_yaml, similar_files
from scripts.model.endpoint import FILE, read_endpoint
from scripts.model.services import service_file, similar_services

OWN = "own"
"""The names of services that are made of endpoints begin with it. The catalogue has no such name."""

PROBE_PORT = 4432
"""The port of the probe of a service that no file describes."""


def given_service(given: str, definition: Path) -> str:
    """The name of a service of the catalogue, or of one that is made of an endpoint's folder.

    Args:
        given: the word of the command line.
        definition: the folder of the campaign's definition, into which an endpoint's service is written.

    Raises:
        UserError: there is no such folder, congestion control or service, or another endpoint has the name
            already.
    """
    if (content := _endpoint_service(given)) is None:
        return _catalogued(given).stem
    name = str(content["name"])
    file = definition / f"services/{name}.yaml"
    if file.is_file() and load_yaml(file) != content:
        raise UserError(f"{given}: the other endpoint has a folder of the same name; rename one of them")
    _write(content, file)
    return name


def copied_service(given: str, definition: Path, name: str, title: str) -> None:
    """Write the service into the definition under another name.

    Args:
        given: the word of the command line.
        definition: the folder of the campaign's definition.
        name: the name that the service gets.
        title: what stands before its own title.

    Raises:
        UserError: there is no such folder, congestion control or service.
    """
    content = _endpoint_service(given)
    if content is None:
        content = load_yaml(_catalogued(given))
    content |= {"name": name, "title": f"{title}: {content['title']}", "short": title}
    _write(content, definition / f"services/{name}.yaml")


def endpoint_files(given: str) -> dict[str, str]:
    """The SHA-256 of endpoint.yaml and of each file that it names; none for a service without an endpoint.

    Files that its programs read by themselves, such as libraries, are not among them.

    Args:
        given: the word of the command line.

    Returns:
        The sums by path, sorted.

    Raises:
        UserError: there is no such folder, congestion control or service, or endpoint.yaml is wrong.
    """
    place, root = given.partition(":")[0], Path()
    if _endpoint_service(given) is None:
        place, root = str(load_yaml(_catalogued(given)).get("endpoint", "")), ROOT
    if not place:
        return {}
    endpoint = read_endpoint(root / place)
    image = endpoint.image or "."
    words = (*endpoint.versions, *endpoint.server, *endpoint.client, *endpoint.reads)
    named = sorted({Path(place, word) for word in (FILE, *words, image, f"{image}/index.json")})
    return {str(path): digest(root / path) for path in named if os.path.isfile(root / path)}


def given_settings(
    names: Collection[str], option: str, links: Mapping[str, dict[str, Any]] | None = None
) -> dict[str, Json]:
    """`settings` of a campaign.yaml that leaves these settings only.

    Args:
        names: the words of the command line.
        option: the option that has them, for the message.
        links: settings besides those of config/config.yaml, in its form.

    Raises:
        UserError: one is unknown.
    """
    defaults = load_yaml(ROOT / "config/config.yaml")["settings"]
    known = {**defaults, **(links or {})}
    for name in names:
        if name not in known:
            raise UserError(f"{option}: {name} is unknown; known are: {', '.join(known)}")
    return dict.fromkeys(defaults) | {name: known[name] for name in names}


def campaign_settings(name: str, option: str) -> dict[str, Json]:
    """`settings` of a campaign as it writes them, without the times of trials.

    Args:
        name: the word of the command line.
        option: the option that has it, for the message.

    Raises:
        UserError: there is no such campaign, or its settings are no mappings.
    """
    file = ROOT / f"config/campaigns/{name}.yaml"
    if not file.is_file():
        raise UserError(f"{option}: {name}: no such campaign; {similar_files(name, file.parent)}")
    settings = load_yaml(file).get("settings", {})
    if not isinstance(settings, dict) or not all(isinstance(link, dict | None) for link in settings.values()):
        raise UserError(f"{file}: settings: must map each setting to a mapping, or to null")
    return {
        setting: link and {key: value for key, value in link.items() if key != "trial"}
        for setting, link in settings.items()
    }


def _catalogued(given: str) -> Path:
    """The file of a service of the catalogue."""
    file = service_file(given)
    if not file.is_file():
        raise UserError(
            f"{given}: is no folder, and the catalogue has no service of this name; {similar_services(given)}"
        )
    return file


def _endpoint_service(given: str) -> dict[str, Json] | None:
    """The content of the file of a service that is made of an endpoint's folder; None if it is none."""
    place, _, cca = given.partition(":")
    folder = Path(place).resolve()
    if not folder.is_dir():
        if "/" in place:
            raise UserError(f"{place}: there is no such folder")
        return None
    endpoint = read_endpoint(folder, cca)
    cca = cca or endpoint.controllers[0]
    return {
        "name": "-".join(re.findall("[a-z0-9]+", f"{OWN} {folder.name} {cca}".lower())),
        "title": f"{folder.name} ({cca})",
        "category": "Baseline",
        "driver": "endpoint",
        "cca": cca,
        "endpoint": str(folder),
        "probe": {"port": PROBE_PORT},
    }


def _write(content: dict[str, Json], file: Path) -> None:
    write_text(file, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
