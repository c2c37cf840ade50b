"""The cycle's rows as the pages need them: settings, pairs, solos and trials."""

from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from scripts.base.files import read_json
from scripts.charts.heatmap import HEATMAPS, cells_of
from scripts.charts.labels import setting_title
from scripts.model.pairs import members
from scripts.site.experience import felt_by_service, felt_in_pairs, felt_in_trials
from scripts.site.findings import bouts, findings
from scripts.site.inputs import Inputs, existing
from scripts.site.link_words import access_words, link_words

Row = dict[str, Any]


def utc(time_ns: int | None) -> str | None:
    """A time in ns since the Unix epoch as `2026-11-21 08:30 UTC`."""
    if time_ns is None:
        return None
    return datetime.fromtimestamp(time_ns // 10**9, UTC).strftime("%Y-%m-%d %H:%M UTC")


def span(first_ns: int | None, last_ns: int | None) -> str | None:
    """From when to when: `2026-11-21, 08:30 to 09:10 UTC`, the second date only where it differs."""
    first, last = utc(first_ns), utc(last_ns)
    if first is None or last is None:
        return first
    if first[:10] == last[:10]:
        return f"{first[:10]}, {first[11:16]} to {last[11:]}"
    return f"{first} to {last}"


def cycle_page(inputs: Inputs) -> Row:
    """The facts about the whole cycle, counted from the tables."""
    rows = inputs.tables["trial_services"]
    trials = {(row["setting"], row["pair"], row["trial"]): bool(row["valid"]) for row in rows}
    provenance, config = inputs.provenance, inputs.config
    return {
        "title": config["title"],
        "campaign": provenance["campaign"],
        "cycle": provenance["cycle"],
        "planned": provenance.get("trials_planned"),
        "measured": len(trials),
        "counted": sum(trials.values()),
        "excluded": len(trials) - sum(trials.values()),
        "pairs": len({key[1] for key in trials if "~" in key[1]}),
        "services": [
            {"name": name, "where": hosting(entry), **entry} for name, entry in config["services"].items()
        ],
        "measured_span": span(provenance.get("first_start_ns"), provenance.get("last_stop_ns")),
        "host": provenance.get("host") or {},
        "programs": provenance.get("programs") or {},
        "bottleneck": config.get("bottleneck"),
        "trial": config["trial"],
        "calibration": config.get("calibration"),
    }


def hosting(service: Row) -> str:
    """Where a service of the catalogue runs, and what it stands for."""
    if service.get("live"):
        return "live, on the Internet"
    stands_for = service.get("stands_for")
    return f"self-hosted, stands for {stands_for}" if stands_for else "self-hosted"


def setting_pages(inputs: Inputs) -> list[Row]:
    """Each setting with its link, its findings and the names of its charts, in the config's order."""
    pages = []
    for name, entry in inputs.config["settings"].items():
        rows = cells_of(inputs.tables["pairs"], name)
        services = sorted({row["incumbent"] for row in rows} | {row["contender"] for row in rows})
        pages.append(
            entry
            | {
                "name": name,
                "heading": setting_title(entry),
                "words": link_words(entry),
                "services": services,
                "cells": {f"{row['incumbent']} {row['contender']}": row for row in rows},
                "findings": findings(inputs.tables["findings"], name),
                "ranking": [row for row in inputs.tables["services"] if row["setting"] == name],
                "bouts": bouts(rows, entry["rate_mbps"]),
                "heatmaps": [f"{kind}-{name}" for kind in HEATMAPS] if rows else [],
                "dots": existing(inputs, f"dots-{name}"),
            }
        )
    return pages


def trial_pages(inputs: Inputs) -> list[Row]:
    """Every trial: its clients, what they saw, its rules, its files."""
    clients, rules = _grouped(inputs.tables["trial_services"]), _grouped(inputs.tables["validity"])
    allocations = {
        (row["setting"], row["incumbent"], row["contender"]): row["allocation_mbps"]
        for row in inputs.tables["pairs"]
    }
    felt = felt_in_trials(inputs)
    return [
        _trial(inputs, key, rows, rules.get(key, []), allocations, felt.get(key, {}))
        for key, rows in sorted(clients.items())
    ]


def _grouped(rows: list[Row]) -> dict[tuple[Any, ...], list[Row]]:
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in rows:
        groups[row["setting"], row["pair"], row["trial"]].append(row)
    return groups


def _trial(
    inputs: Inputs,
    key: tuple[Any, ...],
    rows: list[Row],
    rules: list[Row],
    allocations: dict[tuple[Any, ...], float],
    felt: dict[str, list[Row]],
) -> Row:
    setting, pair, number = key
    first, nn = rows[0], f"{number:02d}"
    name = f"trial-{setting}-{pair}-{nn}"
    folder = inputs.published_dir / setting / pair / nn
    record = _record(folder / "trial.json")
    return {
        "setting": setting,
        "pair": pair,
        "nn": nn,
        "solo": first["clients"] == 1,
        "valid": bool(first["valid"]),
        "status": first["status"],
        "reason": first["reason"],
        "utilization": first["utilization"],
        "window_s": first["window_s"],
        "rules": rules,
        "clients": [
            row | {"share": _share(row, allocations)} | _path(record, row["client"])
            for row in sorted(rows, key=lambda row: int(row["client"].removeprefix("c")))
        ],
        "chart": existing(inputs, name),
        "bitrate": existing(inputs, f"bitrate-{setting}-{pair}-{nn}"),
        "felt": felt,
    } | published(folder)


def published(folder: Path) -> Row:
    """When a trial began, and the files it can be downloaded as."""
    return {
        "start": utc(_record(folder / "trial.json").get("start_ns")),
        "files": [
            {"name": path.name, "bytes": path.stat().st_size}
            for path in sorted(folder.glob("[!.]*"))
            if path.is_file()
        ],
    }


def _share(row: Row, allocations: dict[tuple[Any, ...], float]) -> float | None:
    allocation = allocations.get((row["setting"], row["service"], row["contender"]))
    return row["wire_rate_mbps"] / allocation if allocation and row["wire_rate_mbps"] is not None else None


def _record(path: Path) -> Row:
    """A trial's own description; empty where it is not published."""
    return read_json(path) if path.is_file() else {}


def _path(record: Row, client: str) -> Row:
    """When a client started and what its packets passed; nothing of a trial that did not write it down."""
    for own in record.get("clients", []):
        if own["client"] == client and own.get("rtt_ms") is not None:
            access = own.get("access")
            return {
                "start_offset_s": own["start_offset_s"],
                "rtt_ms": own["rtt_ms"],
                "access": access_words(access) if access else None,
            }
    return {}


def pair_pages(inputs: Inputs, trials: list[Row]) -> list[Row]:
    """Every pair of every setting: both directions of `pairs`, and its trials."""
    felt_by_pair = felt_in_pairs(inputs)
    sides: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for row in inputs.tables["pairs"]:
        sides[row["setting"], row["pair"]].append(row)
    return [
        page
        | {
            "sides": sorted(sides.get(key, []), key=lambda row: row["incumbent"]),
            "felt": felt_by_pair.get(key, []),
        }
        for key, page in _with_trials(inputs, [trial for trial in trials if not trial["solo"]])
    ]


def solo_pages(inputs: Inputs, trials: list[Row]) -> list[Row]:
    """Every service alone in every setting: its row of `solo`, and its trials."""
    rows = {(row["setting"], row["service"]): row for row in inputs.tables["solo"]}
    felt = {(row["setting"], row["service"]): row for row in felt_by_service(inputs)}
    return [
        page | {"row": rows.get(key), "felt": felt.get(key)}
        for key, page in _with_trials(inputs, [trial for trial in trials if trial["solo"]])
    ]


def _with_trials(inputs: Inputs, trials: list[Row]) -> list[tuple[tuple[Any, ...], Row]]:
    groups: dict[tuple[Any, ...], list[Row]] = defaultdict(list)
    for trial in trials:
        groups[trial["setting"], trial["pair"]].append(trial)
    pages = []
    for (setting, pair), of_pair in sorted(groups.items()):
        pages.append(
            (
                (setting, pair),
                {
                    "setting": setting,
                    "pair": pair,
                    "services": members(pair),
                    "trials": of_pair,
                    "counted": sum(trial["valid"] for trial in of_pair),
                    "excluded": sum(not trial["valid"] for trial in of_pair),
                    "chart": existing(inputs, f"dots-{setting}-{pair}"),
                },
            )
        )
    return pages


def excluded_trials(inputs: Inputs) -> list[Row]:
    """Every excluded trial once, with the rules it breaks: the table `excluded`, grouped."""
    return [
        {
            "setting": setting,
            "pair": pair,
            "nn": f"{number:02d}",
            "solo": "~" not in pair,
            "status": rows[0]["status"],
            "reason": rows[0]["reason"],
            "rules": rows,
        }
        for (setting, pair, number), rows in sorted(_grouped(inputs.tables["excluded"]).items())
    ]
