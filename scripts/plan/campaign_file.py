"""A campaign's configuration: config/config.yaml, one campaign over it, and the services it names.

    python -m scripts.plan.campaign_file CAMPAIGN [-o FILE]

checks it and writes the merged configuration as JSON. What the user can mend is one line on standard
error and exit status 2.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from scripts.base.commands import parser_of
from scripts.base.errors import UserError, reporting
from scripts.base.files import ROOT, write_text
from scripts.base.yaml_files import load_yaml
from scripts.model.durations import check_times
from scripts.model.pairs import is_contender, meet_in, members, pair_name
from scripts.model.schemas import check
from scripts.plan.setting_completion import completed
from scripts.plan.sweep import expanded

CALIBRATION = "calibration"
ALL = "all"
MOST_CLIENTS = 254
"""As many networks a trial's addresses have room for (testbed/hosts.py)."""


def campaign_names(root: Path = ROOT) -> list[str]:
    """The campaigns that can be run: the files of config/campaigns/, sorted."""
    return sorted(path.stem for path in (root / "config/campaigns").glob("*.yaml"))


def load_campaign(name: str, root: Path = ROOT) -> dict[str, Any]:
    """Merge, check and complete the configuration of one campaign.

    Returns:
        The mapping of config/schemas/campaign.yaml, with `campaign` (the name), `services` as a mapping
        of name to catalogue entry, `pairs` as a sorted list of pair names, sweeps as the settings they
        stand for, each with its `sweep`, every setting with its queue as the switch takes it, and the
        catalogue entry `service` in `calibration`.

    Raises:
        UserError: a file is missing or not as its schema says, a service is unknown, a pair stands
            there twice or is measured nowhere, numbers of trials contradict each other, a steady window is
            empty, a setting cannot be had.
    """
    overlay_path = root / f"config/campaigns/{name}.yaml"
    if not overlay_path.is_file():
        raise UserError(
            f"config/campaigns/{name}.yaml: no such campaign; there are: {', '.join(campaign_names(root))}"
        )
    defaults = load_yaml(root / "config/config.yaml")
    overlay = load_yaml(overlay_path)
    merged = _overlaid(defaults, overlay)

    def written_in(keys: list[Any]) -> str:
        return f"config/campaigns/{name}.yaml" if _holds(overlay, keys) else "config/config.yaml"

    sweeps: dict[str, Any] = {}
    if isinstance(merged.get("settings"), dict):
        settings, sweeps = expanded(merged["settings"], written_in)
        merged |= {"settings": settings}

    def origin(keys: list[Any]) -> str:
        of_sweep = keys[:1] == ["settings"] and len(keys) > 1 and keys[1] in sweeps
        return written_in([keys[0], sweeps[keys[1]]["of"], *keys[2:]] if of_sweep else keys)

    check(merged, "campaign", origin)
    if CALIBRATION in merged["services"]:
        raise UserError(
            f"{origin(['services'])}: services: {CALIBRATION} is the testbed's own and begins every round by "
            "itself; take it out"
        )
    services = {service: load_service(service, origin(["services"]), root) for service in merged["services"]}
    for kind in merged["trial"].get("kinds", {}):
        if not _has_driver(kind, root):
            where = origin(["trial", "kinds", kind])
            raise UserError(f"{where}: trial.kinds: services/drivers/ has no module {kind}")
    trial = check_times(merged["trial"], services.values(), origin(["trial"]))
    pairs = _pairs(merged["pairs"], services, origin(["pairs"]))
    settings = {
        key: completed(setting, trial, pairs, services, _refusal(key, origin))
        | ({"sweep": sweeps[key]} if key in sweeps else {})
        for key, setting in merged["settings"].items()
    }
    for pair in [*services, *pairs]:
        if not any(meet_in(setting, pair) for setting in settings.values()):
            raise UserError(
                f"{origin(['settings'])}: settings: {pair} is measured in none of them, by their services; "
                "add what lacks there, or take it out of the campaign"
            )
    return merged | {
        "campaign": name,
        "services": services,
        "calibration": merged["calibration"]
        | {"service": load_service(CALIBRATION, "config/config.yaml", root)},
        "pairs": pairs,
        "settings": settings,
        "trials": _reachable(merged["trials"], origin(["trials"])),
    }


def load_service(name: str, named_in: str, root: Path = ROOT) -> dict[str, Any]:
    """Read one file of the catalogue.

    Raises:
        UserError: there is no such service, its driver has no module, or the file is not as its schema
            says. The message names `named_in`, where the service was asked for, or the catalogue file.
    """
    path = root / f"services/catalogue/{name}.yaml"
    where = f"services/catalogue/{name}.yaml"
    if not path.is_file():
        known = ", ".join(sorted({entry.stem for entry in path.parent.glob("*.yaml")} - {CALIBRATION}))
        raise UserError(f"{named_in}: services: unknown service {name}; the catalogue has: {known}")
    service = load_yaml(path)
    check(service, "service", lambda keys: where)
    if service["name"] != name:
        raise UserError(f"{where}: name: is {service['name']}; it must be the file's name, {name}")
    if not _has_driver(service["driver"], root):
        raise UserError(f"{where}: driver: services/drivers/ has no module {service['driver']}")
    return service


def _has_driver(kind: str, root: Path) -> bool:
    return (root / f"services/drivers/{kind}.py").is_file()


def _overlaid(base: dict[str, Any], over: dict[str, Any]) -> dict[str, Any]:
    """`over` laid over `base`: mappings merged, everything else replaced, null takes a key away."""
    merged = dict(base)
    for key, value in over.items():
        if isinstance(value, dict) and isinstance(base.get(key), dict):
            merged[key] = _overlaid(base[key], value)
        elif value is None:
            merged.pop(key, None)
        else:
            merged[key] = value
    return merged


def _holds(mapping: Any, keys: list[Any]) -> bool:
    """Whether the path of `keys`, or its last part that is a mapping's key, stands in `mapping`."""
    for key in keys:
        if not isinstance(mapping, dict):
            return True
        if key not in mapping:
            return False
        mapping = mapping[key]
    return bool(keys)


def _pairs(asked: Any, services: dict[str, dict[str, Any]], where: str) -> list[str]:
    """The names of the pairs to measure (scripts/model/pairs.py), sorted."""
    pairs = []
    for pair in [asked] if asked == ALL else asked:
        pairs += _all_pairs(services) if pair == ALL else [pair_name(members(pair))]
    for pair, count in Counter(pairs).items():
        if count > 1:
            raise UserError(f"{where}: pairs: {pair} stands there {count} times; name it once")
        if len(members(pair)) > MOST_CLIENTS:
            raise UserError(f"{where}: pairs: {pair} has more than {MOST_CLIENTS} clients; name fewer")
        for service in members(pair):
            if service not in services:
                raise UserError(
                    f"{where}: pairs: {pair}: {service} is not one of this campaign's services; "
                    f"add it to services ({', '.join(services)})"
                )
    return sorted(pairs)


def _all_pairs(services: dict[str, dict[str, Any]]) -> list[str]:
    """Every pair that is meant to meet: one at least is judged by its throughput (Prudentia 5)."""
    contenders = {name for name, service in services.items() if is_contender(service)}
    return [f"{a}~{b}" for a in services for b in services if a <= b and contenders & {a, b}]


def _refusal(key: str, origin: Callable[[list[Any]], str]) -> Callable[[str], UserError]:
    """What makes an error of a setting that cannot be had."""
    return lambda why: UserError(f"{origin(['settings', key])}: settings.{key}: {why}")


def _reachable(trials: dict[str, int], where: str) -> dict[str, int]:
    """The numbers of trials, once it is sure that each can be reached."""
    for fewer, more in (
        ("solo", "solo_attempts"),
        ("round", "most"),
        ("most", "attempts"),
        ("counted", "counted_attempts"),
    ):
        if trials[fewer] > trials[more]:
            raise UserError(
                f"{where}: trials: {fewer} {trials[fewer]} is more than {more} {trials[more]} and could "
                f"never be reached; raise {more} or lower {fewer}"
            )
    return trials


@reporting
def main(argv: list[str] | None = None) -> int:
    """Check one campaign; see the module's docstring."""
    parser = parser_of("scripts.plan.campaign_file", __doc__)
    parser.add_argument("campaign", help="a file of config/campaigns/, without .yaml")
    parser.add_argument("-o", "--output", type=Path, help="where to write the merged configuration")
    parser.add_argument("--bottleneck", choices=("embedded", "bess"), help="instead of the campaign's own")
    arguments = parser.parse_args(argv)
    merged = load_campaign(arguments.campaign)
    if arguments.bottleneck:
        merged["bottleneck"] = arguments.bottleneck
    if arguments.output:
        write_text(arguments.output, json.dumps(merged, indent=1, ensure_ascii=False) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
