"""A second CoDel for comparison: from the pseudocode of RFC 8289, section 5, and from what Linux does."""

from collections import deque
from math import sqrt

OPTIONS = [
    {},
    {"ecn": True},
    {"target_ns": 1_000_000, "interval_ns": 10_000_000, "ecn": True},
    {"as_linux": True},
    {"as_linux": True, "target_ns": 1_000_000, "interval_ns": 10_000_000, "ecn": True},
]
VERDICTS = {"forwarded", "tail", "aqm", "marked"}
DEFAULTS = {"target_ns": 5_000_000, "interval_ns": 100_000_000, "ecn": False, "as_linux": False}
MTU = 1514


class State:
    """A queue and the variables of the RFC, by its names. None for a time that is not set."""

    def __init__(self, options: dict) -> None:
        self.target, self.interval, self.ecn = (options[key] for key in ("target_ns", "interval_ns", "ecn"))
        self.packets: deque = deque()
        self.backlog = self.bytes  # of the whole discipline
        self.credits = 0  # used by FQ-CoDel
        self.dropping = False
        self.first_above_time = None
        self.drop_next = self.count = self.lastcount = 0

    def bytes(self) -> int:
        """The frame bytes in the queue."""
        return sum(packet.frame_bytes for packet in self.packets)

    def dodequeue(self, now: int) -> tuple:
        """The packet at the head (None: none) and whether it may be dropped."""
        if not self.packets:
            self.first_above_time = None
            return None, False
        packet = self.packets.popleft()
        if now - packet.arrival_ns < self.target or self.bytes() <= MTU:
            self.first_above_time = None
        elif self.first_above_time is None:
            self.first_above_time = now + self.interval
        elif now >= self.first_above_time:
            return packet, True
        return packet, False

    def control_law(self, t: int) -> int:
        """The time of the next drop after t."""
        return t + int(self.interval / sqrt(self.count))

    def dequeue(self, now: int) -> tuple:
        """The RFC's deque(): the dropped packets, and the packet to deliver with its verdict."""
        drops: list = []
        packet, ok_to_drop = self.dodequeue(now)
        marked = False
        if self.dropping:
            if not ok_to_drop:
                self.dropping = False
            while self.dropping and now >= self.drop_next and not marked:
                self.count += 1
                if self.ecn and packet.ecn_capable:
                    marked = True
                else:
                    drops.append((packet, "aqm"))
                    packet, ok_to_drop = self.dodequeue(now)
                    if not ok_to_drop:
                        self.dropping = False
                        break
                self.drop_next = self.control_law(self.drop_next)
        elif ok_to_drop:
            if self.ecn and packet.ecn_capable:
                marked = True
            else:
                drops.append((packet, "aqm"))
                packet, _ = self.dodequeue(now)
            self.dropping = True
            delta = self.count - self.lastcount
            self.count = 1
            if delta > 1 and now - self.drop_next < 16 * self.interval:
                self.count = delta
            self.drop_next = self.control_law(now)
            self.lastcount = self.count
        return drops, packet and (packet, "marked" if marked else "forwarded")


class LinuxState(State):
    """A queue and the variables of Linux' codel_vars, by their names."""

    def __init__(self, options: dict) -> None:
        super().__init__(options)
        self.rec_inv_sqrt = 0xFFFF

    def dodequeue(self, now: int) -> tuple:
        """codel_should_drop() of the packet at the head."""
        if not self.packets:
            self.first_above_time = None
            return None, False
        packet = self.packets.popleft()
        if now - packet.arrival_ns < self.target or self.backlog() <= MTU:
            self.first_above_time = None
        elif self.first_above_time is None:
            self.first_above_time = now + self.interval
        else:
            return packet, now > self.first_above_time
        return packet, False

    def newton_step(self) -> None:
        """codel_Newton_step(), in unsigned numbers of 32 and 64 bits."""
        inv_sqrt = self.rec_inv_sqrt << 16
        value = (3 << 32) - self.count * (inv_sqrt * inv_sqrt >> 32)
        value = (value % 2**64 >> 2) * inv_sqrt % 2**64 >> 31
        self.rec_inv_sqrt = (value >> 16) & 0xFFFF

    def control_law(self, t: int) -> int:
        return t + (self.interval * self.rec_inv_sqrt >> 16)

    def dequeue(self, now: int) -> tuple:
        """codel_dequeue(): the dropped packets, and the packet to deliver with its verdict."""
        if not self.packets:
            self.dropping = False
            return [], None
        drops: list = []
        packet, drop = self.dodequeue(now)
        if self.dropping:
            self.dropping = drop
            while self.dropping and now >= self.drop_next:
                self.count += 1
                self.newton_step()
                if self.ecn and packet.ecn_capable:
                    self.drop_next = self.control_law(self.drop_next)
                    return drops, (packet, "marked")
                drops.append((packet, "aqm"))
                packet, self.dropping = self.dodequeue(now)
                if self.dropping:
                    self.drop_next = self.control_law(self.drop_next)
        elif drop:
            verdict = "marked" if self.ecn and packet.ecn_capable else "forwarded"
            if verdict == "forwarded":
                drops.append((packet, "aqm"))
                packet, _ = self.dodequeue(now)
            self.begin(now)
            return drops, packet and (packet, verdict)
        return drops, packet and (packet, "forwarded")

    def begin(self, now: int) -> None:
        """Dropping begins, soon after the last time at nearly the same rate."""
        self.dropping = True
        delta = self.count - self.lastcount
        if delta > 1 and now - self.drop_next < 16 * self.interval:
            self.count = delta
            self.newton_step()
        else:
            self.count, self.rec_inv_sqrt = 1, 0xFFFF
        self.lastcount = self.count
        self.drop_next = self.control_law(now)


def state(options: dict) -> State:
    """A queue of this variant."""
    return LinuxState(options) if options["as_linux"] else State(options)


class Reference:
    """One queue under CoDel with a limit."""

    def __init__(self, options: dict, case) -> None:
        self.holds = case.holds
        self.queue = state(DEFAULTS | options)

    def __len__(self) -> int:
        return len(self.queue.packets)

    def enqueue(self, packet, now_ns: int) -> list:
        if not self.holds(len(self) + 1, self.queue.bytes() + packet.frame_bytes):
            return [(packet, "tail")]
        self.queue.packets.append(packet)
        return []

    def dequeue(self, now_ns: int) -> tuple:
        return self.queue.dequeue(now_ns)
