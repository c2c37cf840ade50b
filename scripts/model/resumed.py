"""A cycle that was resumed from a lean snapshot (scripts/snapshot/resume.py).

Its folder resumed/ has the tables and the records of the trials that were measured before, as the snapshot
had them. The captures of these trials were left out, so their rows come from these tables.
"""

from pathlib import Path

from scripts.model.trials import TrialKey

FOLDER = "resumed"


def resumed_from(trial: Path) -> Path | None:
    """The folder resumed/ of the cycle of a trial that was measured before; None for any other trial.

    Args:
        trial: data/<campaign>/<cycle>/trials/<setting>/<pair>/<nn>.
    """
    folder = trial.absolute().parents[3] / FOLDER
    record = folder / "trials" / TrialKey.of(trial).path / "trial.json"
    return folder if record.is_file() else None
