"""A trial's specification (config/schemas/trial.yaml): written once, never changed.

PLAN_DIR/specs/<setting>/<pair>/<nn>.json is what the testbed runs. It holds nothing of rounds or order, so a
trial is the same whichever round asked for it.
"""

import hashlib
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from scripts.base.errors import UserError
from scripts.base.files import read_json, write_text
from scripts.model.durations import lead_s, schedule, times
from scripts.model.pairs import members

LINK_KEYS = (
    "title",
    "rate_mbps",
    "rtt_ms",
    "queue_packets",
    "queue_bytes",
    "queue_bdp",
    "queue_ms",
    "discipline",
    "discipline_options",
    "random_loss",
)


def specification(config: dict[str, Any], cycle: str, setting: str, pair: str, number: int) -> dict[str, Any]:
    """The specification of one trial; its seed follows from its name and the configuration's seed."""
    name = f"{config['seed']}/{config['campaign']}/{cycle}/{setting}/{pair}/{number}"
    seed = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])
    draw = random.Random(seed)
    link = config["settings"][setting]
    names = members(pair)
    services = [config["services"][name] for name in names]
    own_of = _clients(config, link, names)
    offsets_s = [
        round(own.get("start_s", 0) + lead + draw.uniform(0, config["trial"]["start_jitter_s"]), 6)
        for own, lead in zip(own_of, lead_s(config["trial"], services), strict=True)
    ]
    return {
        "schema": 1,
        "campaign": config["campaign"],
        "cycle": cycle,
        "setting": setting,
        "pair": pair,
        "trial": number,
        "link": {key: link[key] for key in LINK_KEYS if key in link},
        "bottleneck": config["bottleneck"],
        "seed": seed,
        **times(config, pair, offsets_s),
        "clients": [
            {
                "client": f"c{position}",
                "service": _to_run(service) | schedule(config["trial"], service),
                "instance": names[:position].count(service["name"]),
                "start_offset_s": offset_s,
            }
            | _own_path(link, own)
            for position, (service, own, offset_s) in enumerate(
                zip(services, own_of, offsets_s, strict=True), start=1
            )
        ],
    }


def _clients(config: dict[str, Any], link: dict[str, Any], services: list[str]) -> list[dict[str, Any]]:
    """What the setting says of each client of a trial.

    A service alone has what its first place in the campaign's pairs has, and starts at once.
    """
    own: list[dict[str, Any]] = link.get("clients", [])
    if len(services) == 1:
        places = (
            members(pair).index(services[0]) for pair in config["pairs"] if services[0] in members(pair)
        )
        place = next(places, len(own))
        own = [client | {"start_s": 0} for client in own[place : place + 1]]
    return own + [{}] * (len(services) - len(own))


def _own_path(link: dict[str, Any], own: dict[str, Any]) -> dict[str, Any]:
    """A client's RTT and what is before the bottleneck, where it is not as in most settings."""
    path: dict[str, Any] = {key: own[key] for key in ("rtt_ms", "access") if key in own}
    mode = own.get("rtt", link.get("rtt", "normalised"))
    return path if mode == "normalised" else path | {"rtt": mode}


def _to_run(service: dict[str, Any]) -> dict[str, Any]:
    """A service without what is only judged by afterwards, which may change after a trial."""
    return {key: value for key, value in service.items() if key != "workload"}


def write_specifications(
    config: dict[str, Any], cycle: str, trials: Iterable[tuple[str, str, int]], directory: Path
) -> None:
    """Write the specification of every trial that has none yet.

    Args:
        config: the merged configuration.
        cycle: the cycle's name.
        trials: setting, pair and number of each.
        directory: the plan's directory.

    Raises:
        UserError: one that stands there says something else; then none is written.
    """
    specs = [specification(config, cycle, *trial) for trial in trials]
    for spec in specs:
        _refuse_change(_path(spec, directory), spec)
    for spec in specs:
        write_specification(spec, directory)


def write_specification(spec: dict[str, Any], directory: Path) -> None:
    """Write one specification into the plan's directory, unless it stands there.

    Raises:
        UserError: what stands there says something else.
    """
    path = _path(spec, directory)
    _refuse_change(path, spec)
    if not path.exists():
        write_text(path, json.dumps(spec, indent=1, ensure_ascii=False) + "\n")


def _path(spec: dict[str, Any], directory: Path) -> Path:
    """Where the specification of a trial stands."""
    return directory / f"specs/{spec['setting']}/{spec['pair']}/{spec['trial']:02d}.json"


def _refuse_change(path: Path, now: dict[str, Any]) -> None:
    """Raise UserError if a trial would be another one than was planned."""
    if not path.exists():
        return
    before = read_json(path)
    changed = sorted(key for key in now if before.get(key) != now[key])
    if changed:
        raise UserError(
            f"{path}: the configuration now says something else of {', '.join(changed)} than when "
            f"cycle {now['cycle']} was planned; undo that, or name a new cycle (cycle=NAME)"
        )
