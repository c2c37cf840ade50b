"""A year of daily firings, of which many are killed, and the truth of the status after each."""

import json
import random
import shutil
import subprocess
import time
from collections import Counter, deque
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from datetime import time as time_of_day

from scripts.model.operation import INTERRUPTED, status_text
from scripts.operate.status import status_of
from tests.operate.seaweed import Seaweed
from tests.operate.year.disk import SmallDisk
from tests.operate.year.faults import LONGEST, PHASES, Kill, in_order
from tests.operate.year.processes import kill_all, kill_one, wait_until_gone
from tests.operate.year.project import PERIOD_DAYS, Observatory
from tests.operate.year.truth import Ended, completed, contradictions, records, slot

LONGEST_S = 900
STARTING = "starting"
STEPS = {STARTING: -1} | {name: number for number, name in enumerate(PHASES)}
STEPS |= {"idle": STEPS["report"], "failed": STEPS["report"]}


class Days:
    """The days of an observatory whose host, disk and storage fail.

    Attributes:
        struck: how often what was killed in which phase.
        lies: what the status told that was not so, with the day.
        missed: the kills whose run had ended before; they come in the next cycle.
    """

    def __init__(self, observatory: Observatory, disk: SmallDisk, storage: Seaweed, seed: int) -> None:
        self.observatory, self.disk, self.storage = observatory, disk, storage
        self.draw = random.Random(seed)
        self.struck: Counter[tuple[str, str]] = Counter()
        self.lies: list[str] = []
        self.missed: list[Kill] = []

    def cycle(self, first: datetime, kills: list[Kill], special: str | None, idle: int) -> None:
        """The days of one slot.

        Args:
            first: the slot.
            kills: what is killed, one a day until the cycle is completed.
            special: what fails on the first two days: the disk in this phase, or the storage (`away`).
            idle: so many kills may come after the cycle is completed; the others come in the next cycle.
        """
        planned = [*self.missed, *kills]
        left, self.missed = deque(in_order(planned[:LONGEST])), planned[LONGEST:]
        for day in range(PERIOD_DAYS):
            now = datetime.combine(first + timedelta(day), time_of_day(3), UTC)
            if special == "away" and day < 2:
                self._away(now, last=day == 1)
            elif special and day < 2:
                self._full(now, special, last=day == 1)
            elif left and day < PERIOD_DAYS - 1 and (idle or not self._is_completed(now)):
                kill = left.popleft()
                if self._is_completed(now):  # nothing but a short look is left to kill
                    kill, idle = replace(kill, phase=STARTING, after_s=self.draw.uniform(0.1, 0.8)), idle - 1
                if not self._killed(now, kill):
                    self.missed.append(replace(kill, phase="measuring"))
            else:
                self._plain(now)
        self.missed += [replace(kill, phase="measuring") for kill in left]
        assert self._is_completed(now), f"{slot(now)} is not completed by {now}"

    def _is_completed(self, now: datetime) -> bool:
        return slot(now) in completed(self.observatory.root)

    def _plain(self, now: datetime) -> None:
        run = self.observatory.start(now)
        status = run.wait(LONGEST_S)
        self._after(now, Ended(status), "undisturbed")
        assert status == 0, f"{now}: an undisturbed run ended with {status}"

    def _killed(self, now: datetime, kill: Kill) -> bool:
        """A firing that is killed; False if it ended before."""
        run = self.observatory.start(now)
        phase = self._wait(run, now, kill.phase, kill.after_s)
        struck = phase is not None and self._strike(run, kill)
        status = run.wait(LONGEST_S)
        wait_until_gone(run.pid)
        if kill.kind in ("weed", "reboot") and struck:
            self.storage.start() if self.storage.process.poll() is not None else None
        if struck:
            self.struck[kill.kind if struck is True else f"one: {struck}", phase or ""] += 1
        self._after(now, Ended(status), f"killed {kill.kind}: {struck} in {phase}")
        return bool(struck)

    def _strike(self, run: subprocess.Popen, kill: Kill) -> str | bool | None:
        """Kill; returns what was killed, if it was one process of the run."""
        if kill.kind == "one":
            return kill_one(run.pid, self.draw)
        if kill.kind in ("tree", "reboot"):
            kill_all(run.pid)
        if kill.kind in ("weed", "reboot"):
            self.storage.kill()
        if kill.kind == "weed":
            self.storage.start()
        if kill.kind == "reboot":
            shutil.rmtree(self.observatory.temporary)
            self.observatory.temporary.mkdir()
        return True

    def _full(self, now: datetime, phase: str, last: bool) -> None:
        """A firing in which the disk becomes full, and one with a full disk; it is freed after the last."""
        run = self.observatory.start(now)
        if not last:
            self._wait(run, now, phase, self.draw.uniform(0.5, 8 if phase == "measuring" else 1))
            self.disk.fill()
        status = run.wait(LONGEST_S)
        wait_until_gone(run.pid)
        self.disk.fill()
        assert status == 1, f"{now}: a run with a full disk ended with {status}"
        self.struck["full disk", phase] += 1
        self._after(now, Ended(status, full=True), "full disk")
        if last:
            self.disk.free()

    def _away(self, now: datetime, last: bool) -> None:
        """A firing while the storage is not reachable."""
        if not last:
            self.storage.kill()
        run = self.observatory.start(now)
        status = run.wait(LONGEST_S)
        assert status == 1, f"{now}: a run without storage ended with {status}"
        self.struck["storage", "away"] += 1
        self._after(now, Ended(status), "storage away")
        assert slot(now) in json.loads(self._status(now))["unpublished"], "it is measured all the same"
        if last:
            self.storage.start()

    def _wait(self, run: subprocess.Popen, now: datetime, phase: str, after_s: float) -> str | None:
        """Wait until a phase has begun so long ago; returns the phase then, None if the run ended before."""
        while STEPS.get(self._phase(now), -1) < STEPS[phase]:
            if run.poll() is not None:
                return None
            time.sleep(0.01)
        until = time.monotonic() + after_s
        while time.monotonic() < until:
            if run.poll() is not None:
                return None
            time.sleep(0.005)
        told = json.loads(self._status(now))["phase"]
        if run.poll() is not None:
            return None
        if told == INTERRUPTED and self._phase(now) != STARTING:  # until it writes, it may not have the lock
            self.lies.append(f"{now}: interrupted, while a run is running")
        return self._phase(now)

    def _phase(self, now: datetime) -> str:
        """The phase that this run wrote last."""
        try:
            written = json.loads((self.observatory.root / "data/operate/status.json").read_text())
        except (OSError, ValueError):
            return STARTING
        return written["phase"] if written["written"][:10] == now.date().isoformat() else STARTING

    def _status(self, now: datetime) -> str:
        return status_text(status_of(self.observatory.context(now + timedelta(hours=1))))

    def _after(self, now: datetime, ended: Ended, what: str) -> None:
        """Compare the status with the truth, once a slot by the command line."""
        later = now + timedelta(hours=1)
        if now.date().isoformat() == slot(now):
            command = self.observatory.command("status", later, "--json")
            done = subprocess.run(
                command, cwd=self.observatory.root, capture_output=True, text=True, check=True
            )
            told = done.stdout
        else:
            told = self._status(now)
        wrong = contradictions(json.loads(told), self.observatory.root, later, ended)
        self.lies += [f"{now.date()} ({what}): {lie}" for lie in wrong]
        counts = f"{len(completed(self.observatory.root))} cycles completed, {self.struck.total()} faults"
        failures = sum(len(one.get("failures", ())) for one in records(self.observatory.root).values())
        print(
            f"{now.date()}: {what}: exit {ended.status}; {counts}, {failures} failures recorded", flush=True
        )
        for lie in wrong:
            print(f"  status: {lie}", flush=True)
