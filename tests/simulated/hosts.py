"""A simulation of the paper's cycle on several testbed hosts, trial by trial, on a virtual clock.

    python -m tests.simulated.hosts [--hosts N …] [--cores N …] [--store MB_PER_S]

prints the table of docs/operating.md, "How long a cycle takes".

The cycle has 12 services, 78 pairs and two settings, with trials of 600 s: 1,800 trials in the first round.
Assumed is that every fourth pair in a setting then needs a second round, with 10 trials of each.
Snakemake submits the trials of a round one after the other. Each one waits for the host whose turn it is
(scripts/plan/spread.py). A host calibrates a setting before its first trial there in each round. After a trial
it hands in the files, and begins the next trial when the store has them. The store takes one trial after the
other. As soon as 50 trials are stored, or all of a round, what follows them is submitted as one batch, whose
trials take turns on the cores. When the last one is done, the next round is planned.
What each step takes is in scripts/plan/trial_work.py.
"""

import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush, heapreplace
from itertools import count, product

from scripts.base.commands import parser_of
from scripts.model.campaign import Campaign
from scripts.model.plan_file import PlanLine
from scripts.plan.campaign_file import load_campaign
from scripts.plan.expected_rounds import Round, least_rounds
from scripts.plan.planner import quota_of
from scripts.plan.spread import turns
from scripts.plan.trial_work import (
    BATCH,
    NEXT_ROUND_S,
    SUBMISSIONS_PER_S,
    Shared,
    calibration_s,
    trial_work,
)
from tests.model.campaigns import service

DAY_S = 86_400
SECOND_ROUND = 4
"""Every so-many-th pair in a setting needs a second round."""


@dataclass(frozen=True)
class Outcome:
    """Seconds of a whole cycle, and the fraction of them in which each part was busy."""

    seconds: float
    hosts: float
    cores: float
    store: float
    submissions: float


class Servers:
    """Some servers with one queue: first come, first served."""

    def __init__(self, number: int) -> None:
        self._free_at = [0.0] * number
        self.busy_s = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When the work that comes now is done. Calls must be in the order of time."""
        end = max(now, self._free_at[0]) + seconds
        heapreplace(self._free_at, end)
        self.busy_s += seconds
        return end


class Clock:
    """Virtual time: actions run in the order of their times, and at the same time in the order of planning."""

    def __init__(self) -> None:
        self.now = 0.0
        self._planned: list[tuple[float, int, Callable[[], None]]] = []
        self._number = count()

    def at(self, time: float, action: Callable[[], None]) -> None:
        """Plan an action."""
        heappush(self._planned, (time, next(self._number), action))

    def run(self) -> None:
        """Run until nothing is planned."""
        while self._planned:
            self.now, _, action = heappop(self._planned)
            action()


class Simulation:
    """One cycle; see the module's docstring."""

    def __init__(self, campaign: Campaign, hosts: int, shared: Shared) -> None:
        self._campaign, self._count, self._shared = campaign, hosts, shared
        self._clock = Clock()
        self._submitter, self._store, self._cores = Servers(1), Servers(1), Servers(shared.cores)
        self._hosts_busy_s = 0.0

    def run(self, rounds: Sequence[Round]) -> Outcome:
        """Simulate these rounds, one after the other."""
        for lines in rounds:
            self._round(lines)
            self._clock.now += NEXT_ROUND_S
        seconds = self._clock.now
        return Outcome(
            seconds,
            self._hosts_busy_s / (self._count * seconds),
            self._cores.busy_s / (self._shared.cores * seconds),
            self._store.busy_s / seconds,
            self._submitter.busy_s / seconds,
        )

    def _round(self, lines: Round) -> None:
        self._waiting: dict[int, deque[PlanLine]] = defaultdict(deque)
        self._measuring: set[int] = set()
        self._calibrated: set[tuple[int, str]] = set()
        self._batch: list[PlanLine] = []
        self._left = len(lines)
        for line, turn in zip(lines, turns(lines), strict=True):
            self._submit(lambda host=turn % self._count, line=line: self._arrive(host, line))
        self._clock.run()

    def _submit(self, job: Callable[[], None]) -> None:
        self._clock.at(self._submitter.serve(self._clock.now, 1 / SUBMISSIONS_PER_S), job)

    def _arrive(self, host: int, line: PlanLine) -> None:
        self._waiting[host].append(line)
        if host not in self._measuring:
            self._begin(host)

    def _begin(self, host: int) -> None:
        """Measure the next trial of a host, if one waits."""
        if not self._waiting[host]:
            self._measuring.discard(host)
            return
        self._measuring.add(host)
        line = self._waiting[host].popleft()
        seconds = trial_work(self._campaign, line).measuring_s
        setting = line.key.setting
        if (host, setting) not in self._calibrated:
            self._calibrated.add((host, setting))
            seconds += calibration_s(self._campaign.settings[setting])
        self._hosts_busy_s += seconds
        self._clock.at(self._clock.now + seconds, lambda: self._hand_in(host, line))

    def _hand_in(self, host: int, line: PlanLine) -> None:
        stored_s = trial_work(self._campaign, line).stored_s(self._shared)
        self._clock.at(self._store.serve(self._clock.now, stored_s), lambda: self._stored(host, line))

    def _stored(self, host: int, line: PlanLine) -> None:
        self._batch.append(line)
        self._left -= 1
        if len(self._batch) == BATCH or not self._left:
            self._submit(lambda batch=self._batch: self._follow(batch))
            self._batch = []
        self._begin(host)

    def _follow(self, batch: list[PlanLine]) -> None:
        for line in batch:
            end = self._cores.serve(self._clock.now, trial_work(self._campaign, line).cpu_s)
            self._clock.at(end, lambda: None)


def paper() -> Campaign:
    """The paper's cycle: 12 services, 78 pairs, two settings."""
    names = [f"s{number:02d}" for number in range(12)]
    pairs = tuple(f"{one}~{other}" for one, other in product(names, names) if one <= other)
    return replace(load_campaign("watchdog"), services={name: service(name) for name in names}, pairs=pairs)


def two_rounds(campaign: Campaign) -> list[Round]:
    """The least round, and a second one of every fourth pair in a setting."""
    (first,) = least_rounds(campaign)
    pairs = [line for line in first if quota_of(campaign, line.key.pair).by_interval]
    chosen = {(line.key.setting, line.key.pair): None for line in pairs}
    again = set(list(chosen)[::SECOND_ROUND])
    second = [
        replace(line, round=2, key=replace(line.key, number=line.key.number + 10))
        for line in pairs
        if (line.key.setting, line.key.pair) in again
    ]
    return [first, second]


def table(hosts: Sequence[int], cores: Sequence[int], store_mb_per_s: float) -> Iterator[str]:
    """The rows of the table of docs/operating.md."""
    campaign = paper()
    rounds = two_rounds(campaign)
    yield "| hosts | cores | 1,800 trials, days | 2,190 trials, days | hosts busy | cores busy | store busy |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
    for number, several in product(hosts, cores):
        shared = Shared(several, store_mb_per_s)
        one = Simulation(campaign, number, shared).run(rounds[:1])
        both = Simulation(campaign, number, shared).run(rounds)
        shares = " | ".join(f"{share:.1%}" for share in (both.hosts, both.cores, both.store))
        yield f"| {number} | {several} | {one.seconds / DAY_S:.2f} | {both.seconds / DAY_S:.2f} | {shares} |"


def main() -> int:
    """Print the table."""
    parser = parser_of("tests.simulated.hosts", __doc__)
    parser.add_argument("--hosts", type=int, nargs="+", default=[1, 4, 16, 64], help="numbers of hosts")
    parser.add_argument("--cores", type=int, nargs="+", default=[2, 16], help="cores for what follows trials")
    parser.add_argument("--store", type=float, default=110, help="MB/s of the store")
    arguments = parser.parse_args()
    for line in table(arguments.hosts, arguments.cores, arguments.store):
        print(line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
