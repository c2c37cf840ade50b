"""Child processes that do not outlive the process that started them."""

import ctypes
import signal

_PR_SET_PDEATHSIG = 1


def end_with_parent(signal_number: int = signal.SIGKILL) -> None:
    """Make the kernel send this process `signal_number` when its parent ends (prctl(2)).

    For `preexec_fn` of subprocess and `initializer` of ProcessPoolExecutor, or for a process itself.
    """
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal_number)
