"""Child processes that do not outlive the process that started them."""

import ctypes
import signal

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Make the kernel kill this process when its parent ends (prctl(2)).

    For `preexec_fn` of subprocess and `initializer` of ProcessPoolExecutor.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
