"""The functions behind the steps of a run, in one record, so that tests can replace them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from scripts.base.records import Json
from scripts.model.operation import Status
from scripts.operate import canary, children, health, hooks, pruning, publishing, status, verifying
from scripts.operate.context import Context
from scripts.operate.host_checks import HealthCheck
from scripts.operate.publishing import Published
from scripts.operate.submissions import unlisted
from scripts.site.addresses import Place
from scripts.site.snapshots import read_snapshots
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import SIGNERS, read_signers

During = Callable[[], None]


def prune(context: Context, dry_run: bool = False) -> str:
    """Delete what the retention does not keep, each file once its published copy was read back."""
    return pruning.prune(context, dry_run, verifying.read_back)


def sign_snapshot(context: Context, place: Place, signers: Path = SIGNERS) -> str:
    """Sign the snapshot of a cycle; a repeat changes nothing.

    Args:
        context: the settings and folders.
        place: the cycle.
        signers: the keys that are trusted.

    Raises:
        UserError: the key must not sign, the snapshot is damaged, or the chain has another one.
    """
    key = context.settings.sign.key
    if key is None:
        return "is not signed: sign.key of config/operate.yaml names no key"
    snapshot = read_snapshots(context.snapshots)[place].folder
    return sign(snapshot, Path(key).expanduser(), context.clock.now(), read_signers(signers))


@dataclass(frozen=True)
class StepActions:
    """The functions behind the steps. Each can be repeated. A UserError is what an operator can mend.

    Attributes:
        check: looks at the host before a cycle.
        watch: looks at the host while a cycle runs; an error stops the cycle.
        canaries: tries the live services alone; the services that are set aside, each with its reason.
        measure: measures a cycle up to its snapshot, and calls a function each minute.
        sign: signs the snapshot of a cycle, if there is a key.
        build: adds the new snapshots to the site.
        publish: publishes what the remote does not have.
        verify: reads the published copy of a cycle back.
        build_unlisted: builds the unlisted site of a submission.
        delete_unlisted: deletes the unlisted site of a token on the remote.
        publish_unlisted: makes the unlisted sites on the remote those that are wanted: folders, by token.
        prune: deletes what the retention does not keep.
        write_status: writes the status, with what the run does now.
        tell_stale: runs the commands for a stale observatory, once.
        run_hooks: runs the commands for an event.
    """

    check: Callable[[Context, str], Iterable[HealthCheck]] = health.check
    watch: Callable[[Context], None] = health.during
    canaries: Callable[[Context, str], Mapping[str, str]] = canary.canaries
    measure: Callable[[Context, str, During], str] = children.measure
    sign: Callable[[Context, Place], str] = sign_snapshot
    build: Callable[[Context], str] = children.build_site
    publish: Callable[[Context], Published] = publishing.publish
    verify: Callable[[Context, str], str] = verifying.verify
    build_unlisted: Callable[[Context, Path], str] = unlisted.build_unlisted
    delete_unlisted: Callable[[Context, str], str] = unlisted.delete_unlisted
    publish_unlisted: Callable[[Context, Mapping[str, Path]], str] = unlisted.publish_unlisted
    prune: Callable[[Context], str] = prune
    write_status: Callable[[Context, str, str | None], Status] = status.write_status
    tell_stale: Callable[[Context, Status], object] = hooks.tell_stale
    run_hooks: Callable[[Context, hooks.HookEvent, Mapping[str, Json]], object] = hooks.run_hooks
