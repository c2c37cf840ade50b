"""A second RED for comparison, from Floyd and Jacobson 1993, figure 2, and Floyd 2000, gentle."""

from collections import deque

OPTIONS = [
    {},
    {"ecn": True, "weight": 0.05, "probability": 0.1},
    {"gentle": False, "ecn": True, "min_bytes": 10_000, "max_bytes": 40_000, "weight": 0.02},
]
VERDICTS = {"forwarded", "tail", "aqm", "marked"}
DEFAULTS = {
    "min_bytes": 7570, "max_bytes": 22710, "probability": 0.02, "weight": 0.002, "packet_ns": 1_000_000,
    "gentle": True, "ecn": False,
}  # fmt: skip


class SplitMix64:
    """The generator of Steele, Lea and Flood 2014; a number in [0, 1) from its upper 53 bits."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> float:
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ z >> shift) * factor % 2**64
        return ((z ^ z >> 31) >> 11) / 2**53


class Reference:
    """The queue, with the paper's names: avg, count, w_q, p_b, p_a, q_time."""

    def __init__(self, options: dict, case) -> None:
        self.options, self.holds = DEFAULTS | options, case.holds
        self.random = SplitMix64(case.seed)
        self.packets: deque = deque()
        self.avg, self.count, self.q_time = 0.0, -1, None

    def __len__(self) -> int:
        return len(self.packets)

    def bytes(self) -> int:
        return sum(packet.frame_bytes for packet, _ in self.packets)

    def p_b(self) -> float:
        low, high, p_max = (self.options[key] for key in ("min_bytes", "max_bytes", "probability"))
        if self.avg >= high:
            beyond = (self.avg - high) / high
            return min(1.0, p_max + (1 - p_max) * beyond) if self.options["gentle"] else 1.0
        return p_max * (self.avg - low) / (high - low)

    def hit(self, now: int) -> bool:
        w_q = self.options["weight"]
        if self.q_time is None:
            self.avg += w_q * (self.bytes() - self.avg)
        else:
            self.avg *= (1 - w_q) ** ((now - self.q_time) // self.options["packet_ns"])
            self.q_time = None
        if self.avg < self.options["min_bytes"] or (p_b := self.p_b()) == 0:
            self.count = -1
            return False
        self.count += 1
        certain = p_b >= 1 or self.count * p_b >= 1
        if certain or self.random.next() < p_b / (1 - self.count * p_b):
            self.count = 0
            return True
        return False

    def enqueue(self, packet, now_ns: int) -> list:
        hit = self.hit(now_ns)
        mark = hit and self.options["ecn"] and packet.ecn_capable
        if hit and not mark:
            return [(packet, "aqm")]
        if not self.holds(len(self) + 1, self.bytes() + packet.frame_bytes):
            return [(packet, "tail")]
        self.packets.append((packet, "marked" if mark else "forwarded"))
        return []

    def dequeue(self, now_ns: int) -> tuple:
        if not self.packets:
            self.q_time = now_ns if self.q_time is None else self.q_time
            return [], None
        return [], self.packets.popleft()
