"""What can be wrong with a snapshot that comes from elsewhere, by name."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

from scripts.base.errors import UserError
from scripts.base.plain import plain

Kind = Literal[
    "flipped",
    "missing",
    "extra",
    "renamed",
    "symlinked",
    "unreadable",
    "removal incomplete",
    "unsigned",
    "other key",
    "wrong namespace",
    "expired",
    "old revision",
    "not in the chain",
    "old tombstone",
]

MOST_NAMED = 10
"""How many problems, or files, are told by name."""


@dataclass(frozen=True)
class FileProblem:
    """A file, what kind of problem it has, and the problem in words with what to do."""

    kind: Kind
    file: str
    text: str

    def __str__(self) -> str:
        return plain(f"{self.file}: {self.text} ({self.kind})")


class RefusedError(UserError):
    """One problem, as an error."""

    def __init__(self, kind: Kind, file: str, text: str) -> None:
        self.problem = FileProblem(kind, file, text)
        super().__init__(str(self.problem))


def refuse(problems: Collection[FileProblem]) -> None:
    """Raise UserError if there is a problem. It tells at most ten, one a line."""
    if not problems:
        return
    lines = [str(problem) for problem in problems][:MOST_NAMED]
    if len(problems) > MOST_NAMED:
        lines.append(f"and {len(problems) - MOST_NAMED} more problems")
    raise UserError("\n".join(lines))
