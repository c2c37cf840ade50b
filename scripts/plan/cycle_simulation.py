"""A simulation of a cycle on several testbed hosts, trial by trial, on a virtual clock.

- Snakemake submits the trials of a round one after the other.
- Each trial waits for its own host (scripts/plan/spread.py).
- A host calibrates a setting before its first trial in it, again in every round.
- After a trial, the host hands in its files. It begins the next trial when the store has them. The store
  takes the files of one trial after the other.
- What follows trials is submitted in batches, as soon as BATCH trials are stored, or all of the round. It
  takes one core for each trial: first come, first served.
- When the last of that is done, the next round is planned.

scripts/plan/trial_work.py says how long each step takes.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heappop, heappush, heapreplace
from itertools import count

from scripts.model.campaign import Campaign
from scripts.model.plan_file import PlanLine
from scripts.plan.expected_rounds import Round
from scripts.plan.spread import first_hosts
from scripts.plan.trial_work import (
    BATCH,
    NEXT_ROUND_S,
    SUBMISSIONS_PER_S,
    Shared,
    calibration_s,
    trial_work,
)


@dataclass(frozen=True)
class SimulatedOutcome:
    """How long a cycle takes, seconds, and in which fraction of that time each part is busy.

    A host is busy while it measures or calibrates. It is idle while it hands in.
    """

    seconds: float
    hosts: float
    cores: float
    store: float


def simulate(campaign: Campaign, rounds: Sequence[Round], hosts: int, shared: Shared) -> SimulatedOutcome:
    """Simulate a cycle of these rounds on so many hosts.

    Raises:
        ValueError: there are no hosts.
    """
    return _Simulation(campaign, hosts, shared).run(rounds)


class Servers:
    """Servers with one queue: first come, first served."""

    def __init__(self, number: int) -> None:
        self._free_at = [0.0] * number
        self.busy_s = 0.0

    def serve(self, now: float, seconds: float) -> float:
        """When work that arrives now is done. `now` never decreases from one call to the next."""
        end = max(now, self._free_at[0]) + seconds
        heapreplace(self._free_at, end)
        self.busy_s += seconds
        return end


class SimulatedClock:
    """A virtual clock. Actions run in the order of their times, those of one time as they were planned."""

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


class _Simulation:
    """The state of a cycle. Each method below `_round` is a step of one trial, in their order."""

    def __init__(self, campaign: Campaign, hosts: int, shared: Shared) -> None:
        self._campaign, self._hosts, self._shared = campaign, hosts, shared
        self._clock = SimulatedClock()
        self._submitter, self._store, self._cores = Servers(1), Servers(1), Servers(shared.cores)
        self._hosts_busy_s = 0.0
        self._waiting: dict[int, deque[PlanLine]] = defaultdict(deque)
        self._measuring: set[int] = set()
        self._calibrated: set[tuple[int, str]] = set()
        self._batch: list[PlanLine] = []
        self._not_stored = 0

    def run(self, rounds: Sequence[Round]) -> SimulatedOutcome:
        for lines in rounds:
            self._round(lines)
        seconds = self._clock.now
        return SimulatedOutcome(
            seconds,
            self._hosts_busy_s / (self._hosts * seconds),
            self._cores.busy_s / (self._shared.cores * seconds),
            self._store.busy_s / seconds,
        )

    def _round(self, lines: Round) -> None:
        self._calibrated.clear()
        self._not_stored = len(lines)
        for line, host in zip(lines, first_hosts(lines, self._hosts), strict=True):
            self._submit(partial(self._arrive, host, line))
        self._clock.run()
        self._clock.now += NEXT_ROUND_S

    def _submit(self, job: Callable[[], None]) -> None:
        self._clock.at(self._submitter.serve(self._clock.now, 1 / SUBMISSIONS_PER_S), job)

    def _arrive(self, host: int, line: PlanLine) -> None:
        self._waiting[host].append(line)
        if host not in self._measuring:
            self._measuring.add(host)
            self._measure_next(host)

    def _measure_next(self, host: int) -> None:
        if not self._waiting[host]:
            self._measuring.remove(host)
            return
        line = self._waiting[host].popleft()
        seconds = trial_work(self._campaign, line).measuring_s
        setting = line.key.setting
        if (host, setting) not in self._calibrated:
            self._calibrated.add((host, setting))
            seconds += calibration_s(self._campaign.settings[setting])
        self._hosts_busy_s += seconds
        self._clock.at(self._clock.now + seconds, partial(self._hand_in, host, line))

    def _hand_in(self, host: int, line: PlanLine) -> None:
        seconds = trial_work(self._campaign, line).stored_s(self._shared)
        self._clock.at(self._store.serve(self._clock.now, seconds), partial(self._stored, host, line))

    def _stored(self, host: int, line: PlanLine) -> None:
        self._batch.append(line)
        self._not_stored -= 1
        if len(self._batch) == BATCH or not self._not_stored:
            self._submit(partial(self._follow, self._batch))
            self._batch = []
        self._measure_next(host)

    def _follow(self, batch: list[PlanLine]) -> None:
        for line in batch:
            done = self._cores.serve(self._clock.now, trial_work(self._campaign, line).cpu_s)
            self._clock.at(done, lambda: None)
