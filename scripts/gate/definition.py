"""The campaign of a gate: candidate and base, each against the same contenders, in the order of running.

The candidate is the service `candidate`, whatever it is made of, and its base the service `base`. Without a
base, each contender is the base beside itself, as `base-<contender>`: then the gate asks whether the
candidate harms it more than its own kind does (Ware et al., HotNets 2019: a new algorithm should do no more
harm than the one that is there).

The trials come in blocks of two. A block has each arm once in every cell, and the next block has the arms in
the opposite order: ABBA or BAAB, drawn by the seed. So a machine that drifts slowly favours neither.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from scripts.base.errors import UserError
from scripts.base.files import write_text
from scripts.base.records import Json
from scripts.gate.decision import FEWEST
from scripts.model.campaign import AtOnce, Campaign
from scripts.model.durations import takes_s
from scripts.model.given import copied_service, given_service, given_settings
from scripts.model.pairs import pair_name
from scripts.model.trials import TrialKey
from scripts.plan.calibration import duration_s as calibration_s
from scripts.plan.campaign_file import load_campaign
from services.endpoint.view import readable_of

CAMPAIGN, CYCLE = "gate", "one"
"""The names of its campaign and its cycle, from which the seeds of the trials follow."""

CANDIDATE, BASE = "candidate", "base"

IGNORED_FIRST_S, IGNORED_LAST_S = 10, 1
LEAST_S = 20

SEED = 1
MOST = 99
"""The most trials of an arm: two digits name a trial."""

ATTEMPTS_ALONE = 3
"""A service has so many trials alone until one of them counts: without any, harm cannot be judged."""


@dataclass(frozen=True)
class Question:
    """What a gate was asked: the words of the command line, and which builds they name."""

    candidate: str
    """A service of the catalogue, or an endpoint's folder with one of its congestion controls."""
    base: str | None
    """Likewise. null: each contender is its own base."""
    against: tuple[str, ...]
    """The contenders, likewise."""
    settings: tuple[str, ...]
    """Names of links, of config/config.yaml or of the file of margins."""
    seconds: int
    """How long a trial lasts."""
    budget_s: float
    """How long the gate may take, in seconds."""
    at_once: AtOnce = 1
    """How many trials run at once."""
    builds: Mapping[str, str] = field(default_factory=dict)
    """The SHA-256 of each file that the endpoints of candidate, base and contenders name, by path."""


@dataclass(frozen=True, order=True)
class ComparedCell:
    """A setting and a contender: where candidate and base are compared.

    Attributes:
        base: the service that is the base there.
    """

    setting: str
    contender: str
    base: str

    def service_of(self, arm: str) -> str:
        """The service of an arm, CANDIDATE or BASE."""
        return CANDIDATE if arm == CANDIDATE else self.base

    def pair_of(self, arm: str) -> str:
        """The pair of an arm."""
        return pair_name([self.service_of(arm), self.contender])


@dataclass(frozen=True)
class Gate:
    """A planned gate.

    Attributes:
        campaign: its merged configuration.
        cells: where candidate and base are compared.
        trials: how many trials each arm has in each cell.
        solos: the trials of services alone, which come first.
    """

    campaign: Campaign
    cells: tuple[ComparedCell, ...]
    trials: int
    solos: tuple[TrialKey, ...]

    def ends_of_block(self, number: int) -> int:
        """How many trials are measured when a block has ended."""
        return len(self.solos) + self._trials_of_block * number

    def with_solos(self, more: Sequence[TrialKey]) -> "Gate":
        """The gate with more trials alone, and without the blocks whose time they take.

        At least FEWEST blocks stay, also if they do not fit into the budget.
        """
        lost = ceil(len(more) / self._trials_of_block)
        return replace(self, solos=(*self.solos, *more), trials=max(FEWEST, self.trials - lost))

    @property
    def _trials_of_block(self) -> int:
        return 2 * len(self.cells)

    def block(self, number: int) -> list[TrialKey]:
        """The trials of a block, from 1, in the order of running: each arm once in every cell."""
        draw = Random(f"{SEED}/{(number + 1) // 2}")
        cells = list(self.cells)
        draw.shuffle(cells)
        keys = []
        for cell in cells:
            arms = [CANDIDATE, BASE] if draw.random() < 0.5 else [BASE, CANDIDATE]
            ordered = arms if number % 2 else arms[::-1]
            keys += [TrialKey(cell.setting, cell.pair_of(arm), number) for arm in ordered]
        return keys


def planned(asked: Question, definition: Path, links: Mapping[str, dict[str, Any]]) -> Gate:
    """Write the definition of the campaign, and plan as many trials as fit into the budget.

    Args:
        asked: what the command line says.
        definition: a folder for the definition.
        links: settings besides those of config/config.yaml, in its form.

    Raises:
        UserError: a service or a setting is unknown, a program of an endpoint is missing, or a trial or the
            budget is too short.
    """
    if asked.seconds < LEAST_S:
        raise UserError(f"--seconds: is {asked.seconds}; it must be at least {LEAST_S}")
    contenders = [given_service(one, definition) for one in asked.against]
    if twice := {one for one in contenders if contenders.count(one) > 1}:
        raise UserError(f"--against: {min(twice)} is named twice; name each contender once")
    copied_service(asked.candidate, definition, CANDIDATE, "Candidate")
    bases = dict.fromkeys(contenders, BASE)
    if asked.base is None:
        bases = {contender: f"{BASE}-{contender}" for contender in contenders}
    for contender, given in zip(contenders, asked.against, strict=True):
        copied_service(asked.base or given, definition, bases[contender], "Base")
    cells = tuple(ComparedCell(setting, one, bases[one]) for setting in asked.settings for one in contenders)
    _write_campaign(definition, cells, asked, links)
    campaign = load_campaign(CAMPAIGN, definition=definition)
    for service in campaign.services.values():
        readable_of(service)
    alone = [CANDIDATE, *dict.fromkeys(bases.values()), *contenders]
    solos = tuple(TrialKey(setting, one, 1) for setting in asked.settings for one in alone)
    once_s = sum(takes_s(calibration_s(campaign.settings[one])) for one in asked.settings)
    once_s += ceil(len(solos) / asked.at_once) * takes_s(asked.seconds)
    block_s = 2 * len(cells) * takes_s(asked.seconds) / asked.at_once
    trials = min(MOST, int((asked.budget_s - once_s) // block_s))
    if trials < FEWEST:
        least = (once_s + FEWEST * block_s) / 60
        raise UserError(
            f"--budget: {FEWEST} trials of each arm take {least:.0f} minutes; allow more time, shorten the "
            "trials by --seconds, or name fewer contenders or settings"
        )
    return Gate(campaign, cells, trials, solos)


def _write_campaign(
    definition: Path, cells: Sequence[ComparedCell], asked: Question, links: Mapping[str, dict[str, Any]]
) -> None:
    """Write campaign.yaml of the definition."""
    pairs = {cell.pair_of(arm): None for cell in cells for arm in (CANDIDATE, BASE)}
    services = {name: None for cell in cells for name in (CANDIDATE, cell.base, cell.contender)}
    content: dict[str, Json] = {
        "title": "The gate",
        "services": [*services],
        "pairs": [*pairs],
        "settings": given_settings(asked.settings, "--settings", links),
        "parallel": asked.at_once,
        "trials": {"solo": 1, "solo_attempts": ATTEMPTS_ALONE, "round": 6, "most": MOST, "attempts": MOST},
        "trial": {
            "duration_s": asked.seconds,
            "ignore_first_s": IGNORED_FIRST_S,
            "ignore_last_s": IGNORED_LAST_S,
        },
    }
    write_text(definition / "campaign.yaml", json.dumps(content, indent=1) + "\n")
