"""The queue disciplines that a setting can name: one entry each, with its options.

JSON Schema, defaults, checks and the words on pages follow from the entry. The C++ side of a discipline is
its class in testbed/queues/ (catalogue.h); tests/testbed/queues/test_disciplines.py checks that both agree.

RED's defaults in a link are those of `tc red` (iproute2: tc/q_red.c, tc_red.c), and so is what RED
refuses.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from scripts.base.records import Json, Scalar

AVERAGE_PACKET_BYTES = 1000
"""tc-red(8): "1000 is a good value"."""


def red_defaults(given: Mapping[str, Scalar], limit_bytes: int, rate_mbps: float) -> dict[str, Scalar]:
    """The options that depend on queue and link.

    Args:
        given: the options that the setting gives.
        limit_bytes: the queue's limit, bytes.
        rate_mbps: the link's rate, Mbit/s: tc's `bandwidth`.

    Returns:
        `max_bytes`, three times a given minimum, else a quarter of the limit; `min_bytes`, a third of the
        maximum; `weight`, from tc's default burst of (2 min + max) / 3; `packet_ms`, the link's time for an
        average packet.
    """
    usual = 3 * int(given["min_bytes"]) if "min_bytes" in given else limit_bytes // 4
    most = max(6, int(given.get("max_bytes", usual)))
    least = int(given.get("min_bytes", most // 3))
    return {
        "min_bytes": least,
        "max_bytes": most,
        "weight": _weight(least, most),
        "packet_ms": AVERAGE_PACKET_BYTES * 8 / (rate_mbps * 1e3),
    }


def _weight(min_bytes: int, max_bytes: int) -> float:
    """The largest power of 1/2 with which a burst of average packets stays below the minimum.

    Floyd and Jacobson 1993, 6.1: after L packets at an empty queue the average is
    L + 1 + ((1 - w)^(L + 1) - 1) / w packets; tc takes burst + 1 - min <= (1 - (1 - w)^burst) / w.
    Where tc refuses the thresholds, such as a minimum of less than an average packet, it is 1/2.
    """
    burst = (2 * min_bytes + max_bytes) // (3 * AVERAGE_PACKET_BYTES)
    room = burst + 1 - min_bytes / AVERAGE_PACKET_BYTES
    weights = (0.5**power for power in range(1, 32))
    return next((weight for weight in weights if room <= (1 - (1 - weight) ** burst) / weight), 0.5)


def red_fault(options: Mapping[str, Scalar]) -> str:
    """Why these options make no sense; empty if they do."""
    if float(options["min_bytes"]) >= float(options["max_bytes"]):
        return (
            f"min_bytes {options['min_bytes']} is not less than max_bytes {options['max_bytes']}; "
            "lower min_bytes or raise max_bytes"
        )
    return ""


VARIANT, RFC, LINUX = "variant", "rfc", "linux"
"""The option of CoDel and FQ-CoDel that says whose rules it follows."""


@dataclass(frozen=True)
class Option:
    """An option of a discipline. A key that ends in `_ms` is a time, which the switch takes in whole ns.

    `schema` is the JSON Schema of a value. `words` is the format of a value on the pages; a flag's words are
    shown where the flag is set.
    """

    default: Scalar
    schema: Mapping[str, Json]
    words: str

    def in_words(self, value: Scalar) -> str:
        """The value as the pages show it; empty for a flag that is not set."""
        if isinstance(value, bool):
            return self.words if value else ""
        return self.words.format(value)


@dataclass(frozen=True)
class Discipline:
    """A discipline: its name as the papers write it, and its options by key.

    `in_link` gives the defaults that depend on the link, from the given options, the queue in bytes and the
    rate in Mbps. `fault` says what makes no sense in a set of options; empty if all is well.
    """

    title: str
    options: Mapping[str, Option] = field(default_factory=dict)
    in_link: Callable[[Mapping[str, Scalar], int, float], dict[str, Scalar]] = lambda *_: {}
    fault: Callable[[Mapping[str, Scalar]], str] = lambda _: ""

    def defaults(self) -> dict[str, Scalar]:
        """The default of every option."""
        return {key: option.default for key, option in self.options.items()}

    def in_words(self, options: Mapping[str, Scalar]) -> str:
        """The discipline with these options, flags last: `CoDel (target 5 ms, interval 100 ms, ECN)`."""
        flags_last = sorted(self.options, key=lambda key: isinstance(self.options[key].default, bool))
        words = [self.options[key].in_words(options[key]) for key in flags_last if key in options]
        details = ", ".join(filter(None, words))
        return f"{self.title} ({details})" if details else self.title


# RFC 8289, 4.2 and 4.3. Linux decides otherwise in the points that testbed/queues/codel_queue.h lists.
_CODEL = {
    VARIANT: Option(RFC, {"enum": [RFC, LINUX]}, "variant {}"),
    "target_ms": Option(5, {"type": "number", "exclusiveMinimum": 0, "maximum": 1000}, "target {:g} ms"),
    "interval_ms": Option(
        100, {"type": "number", "exclusiveMinimum": 0, "maximum": 10000}, "interval {:g} ms"
    ),
    "ecn": Option(False, {"type": "boolean"}, "ECN"),
}

# RFC 8290, 5.2. The quantum is one full frame.
_FQ_CODEL = _CODEL | {
    "queues": Option(1024, {"type": "integer", "minimum": 1, "maximum": 65536}, "{:g} queues"),
    "quantum_bytes": Option(
        1514, {"type": "integer", "minimum": 1, "maximum": 1000000}, "quantum {:g} bytes"
    ),
}

# A smaller quantum than the smallest frame would only cost turns.
_QUANTUM = {
    "quantum_bytes": Option(
        1514, {"type": "integer", "minimum": 64, "maximum": 1000000}, "quantum {:g} bytes"
    )
}

# Zapletal and Kuipers 2023, section 4: a flow holds at most 1/5 of the buffer.
_FQ = _QUANTUM | {
    "flow_fraction": Option(
        0.2, {"type": "number", "exclusiveMinimum": 0, "maximum": 1}, "a flow holds at most {:g} of the queue"
    )
}

# The defaults of Linux' `hhf` (net/sched/sch_hhf.c).
_HHF = {
    "admit_bytes": Option(
        131072,
        {"type": "integer", "minimum": 1, "maximum": 1 << 30},
        "heavy hitters send more than {:,} bytes",
    ),
    "reset_timeout_ms": Option(
        40, {"type": "number", "exclusiveMinimum": 0, "maximum": 60000}, "within {:g} ms"
    ),
    "evict_timeout_ms": Option(
        1000, {"type": "number", "exclusiveMinimum": 0, "maximum": 3600000}, "until silent for {:g} ms"
    ),
    "hh_flows_limit": Option(
        2048, {"type": "integer", "minimum": 1, "maximum": 65536}, "at most {:g} of them"
    ),
    "non_hh_weight": Option(
        2, {"type": "integer", "minimum": 1, "maximum": 1024}, "weight {:g} of other flows"
    ),
} | _QUANTUM

_BYTES: dict[str, Json] = {"type": "integer", "minimum": 2, "maximum": 2**32}
_FRACTION: dict[str, Json] = {"type": "number", "exclusiveMinimum": 0, "maximum": 1}

# Floyd and Jacobson 1993, 6 and 8; a campaign's settings have those of `tc red` instead.
_RED = {
    "min_bytes": Option(7570, _BYTES, "from {:g} bytes"),
    "max_bytes": Option(22710, _BYTES, "to {:g} bytes"),
    "probability": Option(0.02, _FRACTION, "probability {:g}"),
    "weight": Option(0.002, _FRACTION, "weight {:g}"),
    "packet_ms": Option(1, {"type": "number", "minimum": 0.00001, "maximum": 1000}, "average packet {:g} ms"),
    "gentle": Option(True, {"type": "boolean"}, "gentle"),
    "ecn": Option(False, {"type": "boolean"}, "ECN"),
}


def _linux_marks(given: Mapping[str, Scalar], *_: float) -> dict[str, Scalar]:
    """Linux' fq_codel has ECN on by default (tc-fq_codel(8)); its codel has not."""
    return {"ecn": True} if given.get(VARIANT) == LINUX else {}


DISCIPLINES = {
    "droptail": Discipline("drop-tail"),
    "codel": Discipline("CoDel", _CODEL),
    "fq_codel": Discipline("FQ-CoDel", _FQ_CODEL, _linux_marks),
    "fq": Discipline("FQ", _FQ),
    "hhf": Discipline("HHF", _HHF),
    "red": Discipline("RED", _RED, red_defaults, red_fault),
}


def switch_options(options: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """The options of a setting as the switch takes them.

    `target_ms: 5` becomes `target_ns: 5000000`, and `variant: linux` becomes `as_linux: true`.
    """
    return dict(_switch_option(key, value) for key, value in options.items())


def _switch_option(key: str, value: Scalar) -> tuple[str, Scalar]:
    if key == VARIANT:
        return "as_linux", value == LINUX
    if key.endswith("_ms"):
        return f"{key.removesuffix('_ms')}_ns", round(float(value) * 1e6)
    return key, value


def schema() -> dict[str, Json]:
    """The rules of a link's `discipline` and `discipline_options`, as JSON Schema.

    It checks each value by the link's own discipline, but knows the options of all disciplines:
    scripts/plan/setting_completion.py refuses an option that the link's own discipline lacks.
    """
    keys = {key for discipline in DISCIPLINES.values() for key in discipline.options}
    return {
        "properties": {
            "discipline": {"enum": list(DISCIPLINES)},
            "discipline_options": {
                "type": "object",
                "properties": dict.fromkeys(sorted(keys), True),
                "additionalProperties": False,
            },
        },
        "allOf": [_values_of(name, discipline) for name, discipline in DISCIPLINES.items()],
    }


def _values_of(name: str, discipline: Discipline) -> dict[str, Json]:
    """The schema of a link's option values, if the link has this discipline."""
    values = {key: option.schema for key, option in discipline.options.items()}
    return {
        "if": {"properties": {"discipline": {"const": name}}, "required": ["discipline"]},
        "then": {"properties": {"discipline_options": {"properties": values}}},
    }
