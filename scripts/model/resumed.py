"""A cycle that was resumed from a lean snapshot (scripts/snapshot/resume.py).

Its folder resumed/ has the tables and the records of the trials that were measured before, as the snapshot
had them. The captures of these trials were left out, so their rows come from these tables.
"""

from pathlib import Path

FOLDER = "resumed"


def resumed_from(trial: Path) -> Path | None:
    """The folder resumed/ of the cycle of a trial that was measured before; None for any other trial.

    Args:
        trial: data/<campaign>/<cycle>/trials/<setting>/<pair>/<nn>.
    """
    parts = trial.absolute().parts
    folder = Path(*parts[:-4], FOLDER)
    return folder if Path(folder, "trials", *parts[-3:], "trial.json").is_file() else None
