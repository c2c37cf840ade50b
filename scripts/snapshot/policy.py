"""What a reader asks of a snapshot, and which problems are accepted."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from scripts.snapshot.signers import Signers
from scripts.snapshot.source import Source

Allowed = Literal["unsigned", "superseded", "unchained"]

ALLOWS: dict[Allowed, str] = {
    "unsigned": "the snapshot has no signature, and need not be in the chain",
    "superseded": "the chain has a later revision",
    "unchained": "the snapshot need not be in the chain; its key must be valid now",
}


@dataclass(frozen=True)
class Policy:
    """What a reader asks of a snapshot.

    Attributes:
        signers: the keys that are trusted.
        now: the time.
        allowed: what is accepted although it is a problem.
        archive: where the chain is; None for the folder or address in which the snapshot is.
        sums: the SHA-256 that its SHA256SUMS must have. Then neither signature nor chain is needed.
        name: the name that it must have; None for that of its address, or of a folder beside its chain.
    """

    signers: Signers
    now: datetime
    allowed: frozenset[Allowed] = frozenset()
    archive: Source | None = None
    sums: str | None = None
    name: str | None = None

    @property
    def needs_chain(self) -> bool:
        """Whether the snapshot must be in the chain."""
        return self.sums is None and not self.allowed & {"unsigned", "unchained"}
