"""How far the cycle is: counted from the files, so that it needs no memory of its own."""

from pathlib import Path
from typing import Any

from scripts.model.durations import overhead_s, readable
from scripts.model.plan_file import read_plan


def announcement(spec: dict[str, Any], path: Path) -> str:
    """One line for the operator: which trial begins, and how far its round is.

    `path` is `…/plan/specs/<setting>/<pair>/<nn>.json` and the rounds are `…/plan/round-<nn>.csv`
    (scripts/plan/rounds.py); a specification that no round asks for is announced without the count. How many
    rounds there will be is not known: the next is planned from the trials of this one. A trial that is there
    already is run again by hand, beside the cycle, and has no count either.
    """
    name = f"{spec['setting']} {spec['pair']} #{spec['trial']}"
    this = Path(spec["setting"], spec["pair"], f"{spec['trial']:02d}")
    folders = path.resolve().parents
    for file in sorted(folders[3].glob("round-*.csv")) if len(folders) > 3 else []:
        asked = {line.key.path: line.duration_s for line in read_plan(file)}
        left = [trial for trial in asked if not (file.parent.parent / "trials" / trial).is_dir()]
        if this in left:
            left_s = sum(asked[trial] + overhead_s(asked[trial]) for trial in left)
            return (
                f"trial {len(asked) - len(left) + 1} of {len(asked)} of round {int(file.stem[6:])}: {name}, "
                f"{spec['duration_s']:g} s; about {readable(left_s)} left for this round"
            )
    return f"trial {name}: {spec['duration_s']:g} s"
