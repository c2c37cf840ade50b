"""A campaign's configuration: config/config.yaml, overlaid by one campaign, with the services it names.

    python -m scripts.plan.campaign_file CAMPAIGN [--definition DIR] [-o FILE]

checks the configuration and writes it, merged, as JSON. An error of the user is one line on standard error,
with exit status 2.

A campaign with services of its own has a definition outside of config/: a folder with campaign.yaml, which
takes the place of config/campaigns/<campaign>.yaml, and services/<service>.yaml, files as in the catalogue.
No service of it has the name of one in the catalogue.
"""

import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT
from scripts.base.records import from_json, write_record
from scripts.base.yaml_files import load_yaml, similar_files
from scripts.model import rules
from scripts.model.campaign import Backend, Campaign, TrialNumbers
from scripts.model.durations import check_times
from scripts.model.pairs import is_solo, members, pair_name
from scripts.model.schemas import check
from scripts.model.services import Service, read_service, service_file, similar_services
from scripts.model.settings import Sweep
from scripts.plan.expectations import check_expectations, with_whole_figures
from scripts.plan.flow_schedule import check_flows
from scripts.plan.setting_completion import completed
from scripts.plan.sweep import expanded

CAMPAIGNS = "config/campaigns"
CALIBRATION = "calibration"
ALL = "all"
MOST_CLIENTS = 254
"""The number of networks among a trial's addresses (testbed/hosts.py)."""

Keys = Sequence[str | int]
"""The path of keys to a value in a configuration."""


@dataclass(frozen=True)
class _Lists:
    """The services, pairs and expectations of a campaign as they are written."""

    services: tuple[str, ...]
    pairs: str | tuple[str, ...]
    expectations: tuple[dict[str, Any], ...] = ()


def campaign_names(root: Path = ROOT) -> list[str]:
    """The names of all campaigns: the files of config/campaigns/, sorted."""
    return sorted(path.stem for path in (root / CAMPAIGNS).glob("*.yaml"))


def definition_files(definition: Path) -> list[Path]:
    """The files of a campaign's definition: the campaign, then its services."""
    return [definition / "campaign.yaml", *sorted((definition / "services").glob("*.yaml"))]


def load_campaign(name: str, root: Path = ROOT, definition: Path | None = None) -> Campaign:
    """Merge, check and complete the configuration of one campaign.

    Args:
        name: the campaign.
        root: the repository.
        definition: the folder of its definition; None: the campaign is a file of config/campaigns/.

    Raises:
        UserError: a file is missing or violates its schema, a service is unknown, a pair is a duplicate or is
            measured in no setting, numbers of trials contradict each other, a steady window is empty, a
            setting is impossible, generated flows do not fit a trial, an expectation names a figure that is
            not measured, a service of the definition has the name of one in the catalogue.
    """
    merged, sweeps, origin = _merged(name, root, definition)
    check(merged, Campaign, origin)
    lists = from_json(_Lists, merged, origin([]))
    campaign = from_json(
        Campaign,
        _overlaid(
            merged,
            {
                "campaign": name,
                "services": _services(lists.services, origin(["services"]), root, definition),
                "pairs": (),
                "settings": {setting: {"sweep": sweep} for setting, sweep in sweeps.items()},
                "expectations": with_whole_figures(lists.expectations, origin(["expectations"])),
                "calibration": {"service": load_service(CALIBRATION, "config/config.yaml", root)},
            },
        ),
        origin([]),
    )
    for kind in campaign.trial.kinds:
        if not _has_driver(kind, root):
            where = origin(["trial", "kinds", kind])
            raise UserError(f"{where}: trial.kinds: services/drivers/ has no module {kind}")
    check_times(campaign.trial, campaign.services.values(), origin(["trial"]))
    campaign = replace(campaign, pairs=_pairs(lists.pairs, campaign.services, origin(["pairs"])))
    campaign = _with_completed_settings(campaign, origin)
    _check_numbers(campaign.trials, origin(["trials"]))
    check_flows(campaign)
    check_expectations(campaign, origin(["expectations"]))
    return campaign


def load_service(name: str, named_in: str, root: Path = ROOT, definition: Path | None = None) -> Service:
    """Read one file of the catalogue, or of a campaign's definition.

    Args:
        name: the service.
        named_in: the file that names the service, for the message.
        root: the repository.
        definition: the folder of the campaign's definition, if it has one.

    Raises:
        UserError: there is no such service, its driver has no module, the file violates its schema, or both
            the definition and the catalogue have the service.
    """
    path, catalogued = service_file(name, definition, root), service_file(name, root=root)
    where = f"services/catalogue/{name}.yaml" if path == catalogued else str(path)
    if path != catalogued and catalogued.is_file():
        raise UserError(f"{path}: the catalogue has a service of this name; name it otherwise")
    if not path.is_file():
        raise UserError(f"{named_in}: services: unknown service {name}; {similar_services(name, root)}")
    service = read_service(path)
    if service.name != name:
        raise UserError(f"{where}: name: is {service.name}; it must be the file's name, {name}")
    if not _has_driver(service.driver, root):
        raise UserError(f"{where}: driver: services/drivers/ has no module {service.driver}")
    return service


def _merged(
    name: str, root: Path, definition: Path | None
) -> tuple[dict[str, object], dict[str, Sweep], Callable[[Keys], str]]:
    """A campaign laid over the defaults, before it is checked.

    Returns:
        The configuration with every sweep expanded, the sweep of each swept setting by its name, and a
        function that gives the file which a path of keys comes from.
    """
    path = str(definition_files(definition)[0] if definition else f"{CAMPAIGNS}/{name}.yaml")
    file = Path(path) if definition else root / path
    if not file.is_file():
        plain = "" if name == Path(name).stem else "give its name without folder and .yaml; "
        raise UserError(f"{path}: no such campaign; {plain}{similar_files(name, root / CAMPAIGNS)}")
    overlay = load_yaml(file)
    defaults = {"validity": rules.defaults()} | load_yaml(root / "config/config.yaml")
    merged = _overlaid(defaults, overlay)
    sweeps: dict[str, Sweep] = {}

    def origin(keys: Keys) -> str:
        if keys[:1] == ["settings"] and len(keys) > 1 and keys[1] in sweeps:
            keys = [keys[0], sweeps[str(keys[1])].of, *keys[2:]]
        return path if not keys or _holds(overlay, keys) else "config/config.yaml"

    written = merged.get("settings")
    if isinstance(written, dict):
        settings, sweeps = expanded(written, origin)
        merged["settings"] = settings
    return merged, sweeps, origin


def _services(names: Sequence[str], where: str, root: Path, definition: Path | None) -> dict[str, Service]:
    if CALIBRATION in names:
        raise UserError(
            f"{where}: services: {CALIBRATION} is reserved: the testbed runs it before every round; remove it"
        )
    return {name: load_service(name, where, root, definition) for name in names}


def _has_driver(kind: str, root: Path) -> bool:
    return (root / f"services/drivers/{kind}.py").is_file()


def _overlaid(base: Mapping[str, object], over: Mapping[str, object]) -> dict[str, object]:
    """`over` laid over `base`: mappings are merged, other values replaced, null removes a key."""
    merged = dict(base)
    for key, value in over.items():
        below = base.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            merged[key] = _overlaid(below, value)
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = value
    return merged


def _holds(content: object, keys: Keys) -> bool:
    """Whether `content` has a value at the path of `keys`, or a single value or list on the way to it."""
    for key in keys:
        if not isinstance(content, dict):
            return True
        if key not in content:
            return False
        content = content[key]
    return True


def _pairs(written: str | Sequence[str], services: Mapping[str, Service], where: str) -> tuple[str, ...]:
    """The names of the pairs to measure (scripts/model/pairs.py), sorted."""
    pairs: list[str] = []
    for pair in [written] if isinstance(written, str) else written:
        pairs += _all_pairs(services) if pair == ALL else [pair_name(members(pair))]
    for pair, count in Counter(pairs).items():
        if count > 1:
            raise UserError(f"{where}: pairs: {pair} is listed {count} times; list it once")
        if is_solo(pair):
            raise UserError(f"{where}: pairs: {pair} is alone; name two services, such as {pair}~{pair}")
        if len(members(pair)) > MOST_CLIENTS:
            raise UserError(f"{where}: pairs: {pair} has more than {MOST_CLIENTS} clients; name fewer")
        for service in members(pair):
            if service not in services:
                raise UserError(
                    f"{where}: pairs: {pair}: {service} is not one of this campaign's services; "
                    f"add it to services ({', '.join(services)})"
                )
    return tuple(sorted(pairs))


def _all_pairs(services: Mapping[str, Service]) -> list[str]:
    """Every pair of services of which at least one is judged by its throughput (Prudentia 5)."""
    return [
        pair_name([first.name, second.name])
        for first in services.values()
        for second in services.values()
        if first.name <= second.name and (first.judged_by_throughput or second.judged_by_throughput)
    ]


def _with_completed_settings(campaign: Campaign, origin: Callable[[Keys], str]) -> Campaign:
    """The campaign with completed settings.

    Raises:
        UserError: a setting is impossible, or a service or pair is measured in no setting.
    """
    settings = {
        key: completed(setting, campaign.trial, campaign.pairs, campaign.services, _refusal(key, origin))
        for key, setting in campaign.settings.items()
    }
    for pair in [*campaign.services, *campaign.pairs]:
        if not any(setting.measures(pair) for setting in settings.values()):
            raise UserError(
                f"{origin(['settings'])}: settings: no setting measures {pair}; add its services to the "
                "services of a setting, or remove it from the campaign"
            )
    return replace(campaign, settings=settings)


def _refusal(key: str, origin: Callable[[Keys], str]) -> Callable[[str], UserError]:
    """A function that makes the error of an impossible setting from the reason."""
    return lambda reason: UserError(f"{origin(['settings', key])}: settings.{key}: {reason}")


def _check_numbers(trials: TrialNumbers, where: str) -> None:
    """Raise UserError if a number of trials could never be reached."""
    for fewer, more in (
        ("solo", "solo_attempts"),
        ("round", "most"),
        ("most", "attempts"),
        ("counted", "counted_attempts"),
    ):
        low, high = getattr(trials, fewer), getattr(trials, more)
        if low > high:
            raise UserError(
                f"{where}: trials: {fewer} {low} is more than {more} {high} and could never be reached; "
                f"raise {more} or lower {fewer}"
            )


def write_merged(campaign: Campaign, file: Path) -> None:
    """Write the merged configuration of a campaign as JSON, which `read_campaign` reads."""
    write_record(file, campaign)


@reporting
def main(argv: list[str] | None = None) -> int:
    """Check one campaign; see the module's docstring."""
    parser = parser_of("scripts.plan.campaign_file", __doc__)
    parser.add_argument("campaign", help="a file of config/campaigns/, without .yaml")
    parser.add_argument(
        "--definition", type=Path, metavar="DIR", help="the folder of the campaign's definition"
    )
    parser.add_argument("-o", "--output", type=Path, help="file to write the merged configuration to")
    parser.add_argument("--bottleneck", choices=get_args(Backend), help="replaces the campaign's bottleneck")
    arguments = parser.parse_args(argv)
    campaign = load_campaign(arguments.campaign, definition=arguments.definition)
    if arguments.bottleneck:
        campaign = replace(campaign, bottleneck=arguments.bottleneck)
    if arguments.output:
        write_merged(campaign, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
