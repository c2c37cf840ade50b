"""Reads a trial's trial.json as a TrialRecord, and decides which part of its reason is published."""

import re
from collections.abc import Mapping
from dataclasses import MISSING, fields
from pathlib import Path
from typing import get_args

from scripts.base.errors import UserError
from scripts.base.files import read_json
from scripts.base.records import from_json
from scripts.model.trial_record import SCHEMA_VERSION, ClientRecord, HostRecord, Status, TrialRecord

TRIAL_JSON = "trial.json"

# The values of missing keys that cannot be null. Any other missing key counts as null.
DEFAULTS: dict[type, dict[str, object]] = {
    TrialRecord: {"bottleneck": {}, "programs": {}},
    ClientRecord: {"service_addresses": [], "rtt": "normalised"},
    HostRecord: {},
}

# A web address with a query or fragment. Punctuation and space after it are not part of it.
ADDRESS_WITH_QUERY = re.compile(r"(https?://[^\s?#]+)[?#]\S*?(?=[.,:;]?(?:\s|$))")


def read_trial(path: Path) -> TrialRecord:
    """Read and check a trial.json. A failed or an old one may lack many keys.

    Raises:
        UserError: the file is missing, is not valid JSON, has another schema version or status, has no
            clients, or a value has the wrong type or is missing although every trial has it.
    """
    content = read_json(path)
    if content.get("schema") != SCHEMA_VERSION:
        raise UserError(
            f"{path}: has schema version {content.get('schema')}; this program reads version {SCHEMA_VERSION}"
        )
    if content.get("status") not in get_args(Status):
        raise UserError(f"{path}: its status must be {' or '.join(get_args(Status))}")
    if not content.get("clients"):
        raise UserError(f"{path}: has no clients; a trial needs at least one")
    return from_json(TrialRecord, _with_all_keys(content), str(path))


def published_reason(reason: str) -> str:
    """The reason of a failed trial without queries and fragments of web addresses, which may be private."""
    return ADDRESS_WITH_QUERY.sub(r"\1", reason)


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
