"""Sign the snapshot of a cycle before it is published, with the key that config/operate.yaml names."""

from pathlib import Path

from scripts.operate.context import Context
from scripts.site.addresses import Place
from scripts.site.snapshots import read_snapshots
from scripts.snapshot.sign import sign
from scripts.snapshot.signatures import SIGNERS, read_signers


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
