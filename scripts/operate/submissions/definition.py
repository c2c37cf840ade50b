"""The definition of a submission: a campaign and a service of its own (scripts/plan/campaign_file.py).

The campaign is the panel's, with other services, pairs and settings: the submitted service meets each
contender, and itself unless it is a page.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from scripts.base.errors import UserError
from scripts.base.files import ROOT, write_text
from scripts.base.yaml_files import load_yaml
from scripts.model.campaign import Campaign
from scripts.model.pairs import pair_name
from scripts.model.submission import Submission, SubmissionKind
from scripts.operate.submissions.addresses import Address
from scripts.plan.campaign_file import load_campaign

BASELINE = "Baseline"
BASELINES, OTHERS = 3, 6
"""How many services a submission meets by default."""

SUBMITTED = "submitted"
"""What pages add to the name of a submitted service."""

_SAME = str.maketrans("01", "ol")


@dataclass(frozen=True)
class Panel:
    """The panel's campaign.

    Attributes:
        campaign: the campaign, complete.
        overlay: its file.
        settings: its settings as the files name them, before sweeps are expanded.
    """

    campaign: Campaign
    overlay: dict[str, Any]
    settings: tuple[str, ...]

    def chosen_settings(self, wanted: Sequence[str], where: str) -> tuple[str, ...]:
        """The settings that a submission is measured in, in the panel's order.

        Raises:
            UserError: the panel has no such setting.
        """
        _check_known(wanted, self.settings, where)
        return tuple(name for name in self.settings if not wanted or name in wanted)

    def chosen_contenders(self, wanted: Sequence[str], kind: SubmissionKind, where: str) -> tuple[str, ...]:
        """The services that a submission meets, in the panel's order.

        Raises:
            UserError: the panel has no such service, or it cannot meet this kind.
        """
        services = self.campaign.services
        _check_known(wanted, services, where)
        for name in wanted:
            if kind == "page" and not services[name].judged_by_throughput:
                raise UserError(
                    f"{where}: {name}: a page meets only services judged by throughput; remove it"
                )
        if wanted:
            return tuple(name for name in services if name in wanted)
        usual = [service for service in services.values() if service.judged_by_throughput]
        baselines = [service.name for service in usual if service.category == BASELINE][:BASELINES]
        others = [service.name for service in usual if service.category != BASELINE][:OTHERS]
        if not baselines + others:
            raise UserError(f"{where}: the panel has no service judged by throughput; name the contenders")
        return tuple(name for name in services if name in (*baselines, *others))


def read_panel(campaign: str) -> Panel:
    """Read the panel's campaign.

    Raises:
        UserError: its configuration is wrong.
    """
    overlay = load_yaml(ROOT / f"config/campaigns/{campaign}.yaml")
    settings = load_yaml(ROOT / "config/config.yaml")["settings"] | (overlay.get("settings") or {})
    names = tuple(name for name, setting in settings.items() if setting is not None)
    return Panel(load_campaign(campaign), overlay, names)


def check_name(name: str, where: str) -> None:
    """Raise UserError if a service of the catalogue has this name, or one that looks like it."""
    taken = {_seen(text) for path in _catalogue() for text in (path["name"], path["title"])}
    if _seen(name).replace(_seen(SUBMITTED), "") in taken:
        raise UserError(f"{where}: {name} looks like the name of a service of the catalogue; write another")


def _catalogue() -> Iterable[dict[str, Any]]:
    return (load_yaml(path) for path in sorted((ROOT / "services/catalogue").glob("*.yaml")))


def _seen(name: str) -> str:
    """A name as a hasty reader sees it: no case, no spaces and signs, 0 as o, 1 and i as l."""
    folded = unicodedata.normalize("NFKC", name).casefold().translate(_SAME).replace("i", "l")
    return "".join(character for character in folded if character.isalnum())


def _check_known(wanted: Sequence[str], known: Iterable[str], where: str) -> None:
    unknown = next((name for name in wanted if name not in known), None)
    if unknown is not None:
        raise UserError(f"{where}: the panel has no {unknown}; it has: {', '.join(known)}")


CATEGORIES = {"page": "Web", "video": "Video"}
OTHER_CATEGORY = "File transfer"
PAGE = "page"


def write_definition(folder: Path, submission: Submission, address: Address, panel: Panel) -> Campaign:
    """Write campaign.yaml and services/<name>.yaml into a folder, and read them again.

    Raises:
        UserError: the campaign is impossible.
    """
    name = submission.campaign
    _write(folder / f"services/{name}.yaml", service_of(submission, address))
    _write(folder / "campaign.yaml", campaign_of(submission, panel))
    return load_campaign(name, definition=folder)


def service_of(submission: Submission, address: Address) -> dict[str, Any]:
    """The file of the submitted service, as the catalogue has it."""
    service: dict[str, Any] = {
        "name": submission.campaign,
        "title": title_of(submission),
        "category": CATEGORIES.get(submission.kind, OTHER_CATEGORY),
        "driver": submission.kind,
        "cca": None,
        "live": {"url": address.url, "ports": list(address.ports), "prepare": "Nothing. It was submitted."},
        "probe": {"host": address.host, "port": address.ports[0]},
    }
    if submission.kind == PAGE:
        service["metric"] = "web"
    if submission.kind == "download":
        service["flows"] = 1
    if submission.workload:
        service["workload"] = list(submission.workload)
    return service


OF_THE_PANEL = ("expectations", "parallel", "period_days")
"""Keys of a campaign that are about the panel alone."""


def campaign_of(submission: Submission, panel: Panel) -> dict[str, Any]:
    """The file of the campaign, laid over the defaults as the panel's is."""
    campaign = {key: panel.overlay[key] for key in panel.overlay if key not in OF_THE_PANEL}
    service = submission.campaign
    opponents = list(submission.contenders) + ([] if submission.kind == PAGE else [service])
    return campaign | {
        "title": f"Submission: {title_of(submission)}",
        "services": [service, *submission.contenders],
        "pairs": [pair_name([service, opponent]) for opponent in opponents],
        "settings": _settings(submission, panel),
    }


def title_of(submission: Submission) -> str:
    """The title of the submitted service."""
    return f"{submission.name} ({SUBMITTED})"


def _settings(submission: Submission, panel: Panel) -> dict[str, Any]:
    """The chosen settings as the panel has them, for all services; null for the others of the defaults."""
    defaults = load_yaml(ROOT / "config/config.yaml")["settings"]
    written = panel.overlay.get("settings") or {}
    settings: dict[str, Any] = {name: None for name in defaults if name not in submission.settings}
    for name in submission.settings:
        settings[name] = {key: value for key, value in (written.get(name) or {}).items() if key != "services"}
        if "services" in defaults.get(name, {}):
            settings[name]["services"] = None
    return settings


def _write(path: Path, content: dict[str, Any]) -> None:
    write_text(path, yaml.safe_dump(content, sort_keys=False, allow_unicode=True))
