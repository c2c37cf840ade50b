"""Reads a trial's trial.json as a TrialRecord, and decides what of it is published."""

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from pathlib import Path
from typing import get_args

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.base.records import Json, from_json, require_version, to_json
from scripts.model.trial_record import (
    SCHEMA_VERSION,
    ClientRecord,
    HostRecord,
    ProgramTimes,
    TrialRecord,
    TrialStatus,
)

# The values of missing keys that cannot be null. Any other missing key counts as null.
DEFAULTS: dict[type, dict[str, object]] = {
    TrialRecord: {"bottleneck": {}, "programs": {}},
    ClientRecord: {"service_addresses": [], "rtt": "normalised"},
    HostRecord: {},
}

# What a reason may quote: web addresses, files of this machine, and addresses outside the testbed.
# Punctuation and space after them are not part of them.
END = r"(?=[.,:;)]*(?:\s|$))"
WEB_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]*://\S*?" + END, re.IGNORECASE)
FILE = re.compile(r"(?<![\w/.])~?/[^\s:]\S*?" + END)
IPV4 = r"(?!198\.1[89]\.)\d{1,3}(?:\.\d{1,3}){3}"
IPV6_OR_ETHERNET = r"(?=[\da-f.]*:(?::|[\da-f.]+:[\da-f.]*:))[\da-f:.]+"
OTHER_ADDRESS = re.compile(rf"(?<![\w.:])(?:{IPV4}|{IPV6_OR_ETHERNET})(?!\w)", re.IGNORECASE)

# A word of a report, such as `droptail`, `iperf-bbr` or `5.1.2+dfsg`; never a path, an address or a sentence.
WORD = re.compile(r"[\w.+~-]{1,64}")


def read_trial(path: Path) -> TrialRecord:
    """Read and check a trial.json. A failed one may lack many keys.

    Raises:
        UserError: the file is missing, is not valid JSON, has another version or status, has no
            clients, or a value has the wrong type or is missing although every trial has it.
    """
    content = read_json(path)
    require_version(content.get("schema"), SCHEMA_VERSION, str(path))
    if content.get("status") not in get_args(TrialStatus):
        raise UserError(f"{path}: its status must be {' or '.join(get_args(TrialStatus))}")
    if not content.get("clients"):
        raise UserError(f"{path}: has no clients; a trial needs at least one")
    return from_json(TrialRecord, _with_all_keys(content), str(path))


def published_reason(reason: str) -> str:
    """The reason of a failed trial without web addresses, files and other addresses, which may be private."""
    for pattern, words in (
        (WEB_ADDRESS, "(a web address)"),
        (FILE, "(a file)"),
        (OTHER_ADDRESS, "(an address)"),
    ):
        reason = pattern.sub(words, reason)
    return reason


def published_record(trial: TrialRecord, content: Mapping[str, object], pseudonyms: bool) -> Json:
    """The published trial.json: fields of a TrialRecord, and words and numbers of the bottleneck's report.

    Args:
        trial: the trial.
        content: its trial.json.
        pseudonyms: whether its addresses are published as pseudonyms.
    """
    reason = None if trial.reason is None else published_reason(trial.reason)
    programs = public_versions(trial.programs)
    host = trial.host
    if host is not None and host.program_times is not None:
        times = host.program_times.items()
        words = {where: _with_words(programs) for where, programs in times if WORD.fullmatch(where)}
        host = replace(host, program_times=words)
    cut = replace(trial, reason=reason, programs=programs, host=host, published=True)
    record = to_json(replace(cut, pseudonyms=pseudonyms or trial.pseudonyms))
    assert isinstance(record, Mapping)
    return {**record, "bottleneck": _words_and_numbers(content.get("bottleneck") or {})}


def public_versions(programs: Mapping[str, str]) -> dict[str, str]:
    """The versions of programs, without those that are not words: a program may print anything."""
    return {name: version for name, version in programs.items() if WORD.fullmatch(version)}


def _with_words(programs: Mapping[str, ProgramTimes]) -> dict[str, ProgramTimes]:
    """The programs whose names are words: a service may start any program."""
    return {name: times for name, times in programs.items() if WORD.fullmatch(name)}


def _words_and_numbers(value: object) -> Json:
    """A JSON value without the strings that are no words. An unknown string may be anything."""
    match value:
        case dict():
            return {str(key): _words_and_numbers(held) for key, held in value.items() if _is_public(held)}
        case list():
            return [_words_and_numbers(held) for held in value if _is_public(held)]
        case str() | int() | float() | None:
            return value
    raise TypeError(f"{type(value).__name__} is not JSON")


def _is_public(value: object) -> bool:
    return not isinstance(value, str) or WORD.fullmatch(value) is not None


def _with_all_keys(content: Mapping[str, object]) -> object:
    """The content of a trial.json with all keys of a TrialRecord."""
    clients = content["clients"]
    if isinstance(clients, list):
        clients = [_with_keys_of(ClientRecord, client) for client in clients]
    host = _with_keys_of(HostRecord, content.get("host"))
    return _with_keys_of(TrialRecord, {**content, "clients": clients, "host": host})


def _with_keys_of(kind: type[TrialRecord | ClientRecord | HostRecord], content: object) -> object:
    """A JSON object with all keys of a record of this kind; anything else stays as it is."""
    if not isinstance(content, Mapping):
        return content
    needed = (field.name for field in fields(kind) if field.default is field.default_factory is MISSING)
    return {**dict.fromkeys(needed), **DEFAULTS[kind], **content}
