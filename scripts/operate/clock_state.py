"""Whether the kernel takes the clock for synchronised: adjtimex(2).

A daemon such as chrony or systemd-timesyncd tells the kernel. In a container the clock is that of its host,
and so is the kernel's answer.
"""

import ctypes
import os
from pathlib import Path

from scripts.operate.checks import HealthCheck, State, passed

NAME = "clock"
STA_UNSYNC = 0x0040
IN_CONTAINER = (Path("/.dockerenv"), Path("/run/.containerenv"), Path("/run/systemd/container"))


class _Timex(ctypes.Structure):
    """The beginning of `struct timex` (linux/timex.h). Zero `modes` change nothing. Errors are in µs."""

    _fields_ = (
        ("modes", ctypes.c_uint),
        ("offset", ctypes.c_long),
        ("frequency", ctypes.c_long),
        ("maxerror", ctypes.c_long),
        ("esterror", ctypes.c_long),
        ("status", ctypes.c_int),
        ("rest", ctypes.c_byte * 256),
    )


def check_clock(otherwise: State) -> HealthCheck:
    """Whether the clock is synchronised.

    Args:
        otherwise: the state of the check if it is not, or if that is not known.
    """
    here = " (of the container's host)" if any(path.exists() for path in IN_CONTAINER) else ""
    try:
        synchronised, error_ms = read_clock()
    except OSError as error:
        return HealthCheck(NAME, otherwise, f"the kernel does not tell whether it is right: {error.strerror}")
    if synchronised:
        return passed(NAME, f"synchronised{here}, the kernel's largest error is {error_ms:.1f} ms")
    remedy = "start a time daemon, such as chrony, and wait until it has set the clock"
    if otherwise == "failed":
        remedy += ", or say `clock: warning` in config/operate.yaml"
    return HealthCheck(NAME, otherwise, f"not synchronised{here}; {remedy}")


def read_clock() -> tuple[bool, float]:
    """Whether the kernel's clock is synchronised, and its largest error in ms.

    Raises:
        OSError: the kernel does not tell.
    """
    timex = _Timex()
    if ctypes.CDLL(None, use_errno=True).adjtimex(ctypes.byref(timex)) < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return not timex.status & STA_UNSYNC, timex.maxerror / 1000
