"""The bottleneck's backends, by name, and what each needs outside the trial's namespaces."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from scripts.model.campaign import Backend
from scripts.model.settings import Link
from testbed.bottleneck import Bottleneck, MachineFolders


def make_bottleneck(
    backend: Backend, link: Link, seed: int, work: Path, folders: MachineFolders
) -> Bottleneck:
    """The bottleneck of one trial. It writes its files to `work` or to the shared folder."""
    if backend == "embedded":
        from testbed.embedded.backend import EmbeddedBottleneck

        return EmbeddedBottleneck(link, seed, work)
    from testbed.bess.backend import BessBottleneck

    return BessBottleneck(link, seed, folders)


def runs_inside_trial(backend: Backend) -> bool:
    """Whether the bottleneck runs in the trial's own namespaces, and not in a daemon outside them."""
    return backend == "embedded"


@contextmanager
def daemon_for_trial(backend: Backend) -> Iterator[None]:
    """The backend's daemon, if it has one: ready when the block begins, idle after it.

    Raises:
        UserError: the daemon cannot be used.
    """
    if runs_inside_trial(backend):
        yield
        return
    from testbed.bess.daemon import make_ready, released_at_the_end
    from testbed.bess.daemon_settings import load_settings

    settings = load_settings()
    with released_at_the_end(settings):
        make_ready(settings)
        yield
