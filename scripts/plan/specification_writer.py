"""Trials' specifications, each written once and never changed.

The testbed runs PLAN_DIR/specs/<setting>/<pair>/<nn>.json.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import fields, replace
from pathlib import Path
from random import Random

from scripts.base.errors import UserError
from scripts.base.files import create_text
from scripts.base.records import read_record, to_json
from scripts.model.campaign import Campaign, TrialTimes
from scripts.model.durations import lead_s, timing, with_schedule
from scripts.model.services import Schedule, Service
from scripts.model.settings import ClientPath, Setting
from scripts.model.specification import SCHEMA_VERSION, Specification, SpecifiedClient
from scripts.model.trials import TrialKey
from scripts.plan.client_paths import client_paths
from scripts.plan.flow_schedule import flow_schedule


def specification(campaign: Campaign, cycle: str, key: TrialKey, drawn: bool = True) -> Specification:
    """The specification of one trial. Its seed follows from its name and the configuration's seed.

    The seed also draws which service is c1, c2, …, unless the setting's `clients` says how one of them
    differs. Then, and where `drawn` is false, the services are in the order of the pair's name.
    """
    seed = _seed(campaign, cycle, key)
    setting = campaign.settings[key.setting]
    paths = client_paths(campaign, setting, key.pair)
    offsets_s = _start_offsets_s(campaign, key.pair, paths, seed)
    times = timing(campaign, key.setting, key.pair, offsets_s)
    return Specification(
        schema=SCHEMA_VERSION,
        campaign=campaign.campaign,
        cycle=cycle,
        setting=key.setting,
        pair=key.pair,
        trial=key.number,
        link=setting.link,
        bottleneck=campaign.bottleneck,
        seed=seed,
        parallel=campaign.at_once,
        duration_s=times.duration_s,
        ignore_first_s=times.ignore_first_s,
        ignore_last_s=times.ignore_last_s,
        clients=_clients(
            _services_to_run(campaign, key.pair, times.duration_s, offsets_s, seed),
            paths,
            offsets_s,
            setting,
            Random(f"{seed}/places") if drawn else None,
        ),
    )


def _seed(campaign: Campaign, cycle: str, key: TrialKey) -> int:
    name = f"{campaign.seed}/{campaign.campaign}/{cycle}/{key.setting}/{key.pair}/{key.number}"
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4])


def _start_offsets_s(campaign: Campaign, pair: str, paths: list[ClientPath], seed: int) -> list[float]:
    """When each client starts, seconds after the trial: its own start, its lead and a random delay."""
    draw = Random(seed)
    leads = lead_s(campaign.trial, campaign.services_of(pair))
    return [
        round(path.start_s + lead + draw.uniform(0, campaign.trial.start_jitter_s), 6)
        for path, lead in zip(paths, leads, strict=True)
    ]


def _services_to_run(
    campaign: Campaign, pair: str, duration_s: int, offsets_s: list[float], seed: int
) -> list[Service]:
    """The service of each client, scheduled for its own time and with its own random numbers."""
    return [
        _to_run(campaign.trial, service, int(duration_s - offset_s), Random(f"{seed}/c{position}"))
        for position, (service, offset_s) in enumerate(
            zip(campaign.services_of(pair), offsets_s, strict=True), start=1
        )
    ]


def _to_run(trial: TrialTimes, service: Service, seconds: int, random: Random) -> Service:
    """A service with its schedule for so many seconds, and without `workload`, `colour` and `short`.

    These serve only to evaluate and to show a trial, and may change after it.
    """
    to_run = replace(with_schedule(trial, service), workload=(), colour=None, short=None)
    if service.generator is None:
        return to_run
    return replace(to_run, schedule=Schedule(flows=flow_schedule(service.generator, seconds, random)))


def _clients(
    services: list[Service],
    paths: list[ClientPath],
    offsets_s: list[float],
    setting: Setting,
    draw: Random | None,
) -> tuple[SpecifiedClient, ...]:
    """The clients, given in the order of the pair's name; `draw` says in which order they are c1, c2, …"""
    placed = list(zip(services, paths, offsets_s, strict=True))
    if draw and not setting.binds_clients and len({service.name for service in services}) > 1:
        draw.shuffle(placed)
    names = [service.name for service, _, _ in placed]
    return tuple(
        SpecifiedClient(
            client=f"c{position}",
            service=service,
            instance=names[:position].count(service.name),
            start_offset_s=offset_s,
            rtt=path.rtt or setting.rtt,
            rtt_ms=path.rtt_ms,
            access=path.access,
        )
        for position, (service, path, offset_s) in enumerate(placed, start=1)
    )


def write_specifications(campaign: Campaign, cycle: str, trials: Iterable[TrialKey], directory: Path) -> None:
    """Write the specification of every trial that has none yet into the plan's directory.

    Raises:
        UserError: a stored specification differs from the new one; then none is written.
    """
    keys = list(trials)
    for key in keys:
        _refuse_change(campaign, cycle, key, directory)
    for key in keys:
        if not _path(key, directory).exists():
            write_specification(specification(campaign, cycle, key), directory)


def refuse_changes(campaign: Campaign, cycle: str, directory: Path) -> None:
    """Check that a cycle's stored specifications are those that the configuration gives now.

    Specifications of settings and pairs that the campaign no longer measures do not matter.

    Raises:
        UserError: one differs.
    """
    measured = {*campaign.services, *campaign.pairs}
    for path in sorted(directory.glob("specs/*/*/*.json")):
        key = TrialKey.of(path.with_suffix(""))
        setting = campaign.settings.get(key.setting)
        if key.pair in measured and setting is not None and setting.measures(key.pair):
            _refuse_change(campaign, cycle, key, directory)


def write_specification(spec: Specification, directory: Path) -> None:
    """Write one specification into the plan's directory, unless it is stored already.

    Raises:
        UserError: the stored one differs.
    """
    path = _path(spec.key, directory)
    if not path.exists():
        with suppress(FileExistsError):
            create_text(path, json.dumps(to_json(spec), indent=1, ensure_ascii=False) + "\n")
    _refuse_other(path, [spec])


def _path(key: TrialKey, directory: Path) -> Path:
    return (directory / "specs" / key.path).with_suffix(".json")


def _refuse_change(campaign: Campaign, cycle: str, key: TrialKey, directory: Path) -> None:
    """Raise UserError if the trial was planned with another specification.

    A cycle that an earlier version began keeps its specifications: their services are in the order of the
    pair's name.
    """
    path = _path(key, directory)
    if path.exists():
        _refuse_other(path, [specification(campaign, cycle, key, drawn) for drawn in (True, False)])


def _refuse_other(path: Path, known: Sequence[Specification]) -> None:
    """Raise UserError if the stored specification is none of these."""
    stored = read_record(Specification, path)
    changed = min((_differences(stored, spec) for spec in known), key=len)
    if changed:
        raise UserError(
            f"{path}: the configuration changed {', '.join(changed)} since cycle {stored.cycle} was planned; "
            "undo the change, or name a new cycle (cycle=NAME)"
        )


def _differences(stored: Specification, spec: Specification) -> list[str]:
    """The fields that differ, sorted."""
    names = [field.name for field in fields(Specification)]
    return sorted(name for name in names if getattr(stored, name) != getattr(spec, name))
