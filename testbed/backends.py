"""The backends: which bottleneck a name stands for, and what each needs outside the trial."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from testbed.bottleneck import Bottleneck, Outside


def make_bottleneck(
    backend: str, link: dict[str, Any], seed: int, work: Path, outside: Outside
) -> Bottleneck:
    """The bottleneck named `backend`, for one link (config/schemas/trial.yaml), with its files in `work`."""
    if backend == "embedded":
        from testbed.embedded.backend import EmbeddedBottleneck

        return EmbeddedBottleneck(link, seed, work)
    if backend == "bess":
        from testbed.bess.backend import BessBottleneck

        return BessBottleneck(link, seed, work, outside)
    raise ValueError(f"there is no bottleneck named {backend}")


def has_own_network(backend: str) -> bool:
    """Whether all of the bottleneck is within the trial; else it is a program that runs already."""
    return backend != "bess"


@contextmanager
def made_ready(backend: str) -> Iterator[None]:
    """A bottleneck outside the trial's namespaces, seen to before the trial and left idle after it.

    Raises:
        UserError: it cannot be used.
    """
    if has_own_network(backend):
        yield
        return
    from testbed.bess.daemon import make_ready, released_at_the_end
    from testbed.bess.daemon_settings import load_settings

    settings = load_settings()
    with released_at_the_end(settings):
        make_ready(settings)
        yield
