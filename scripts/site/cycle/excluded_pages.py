"""The data of the page of excluded trials: how many each rule excluded, and every trial."""

from collections import Counter

from scripts.model.pairs import is_solo
from scripts.site.cycle.inputs import Inputs, Row


def excluded_page(inputs: Inputs) -> Row:
    """The table `excluded`.

    Returns:
        `reasons`, each rule with the number of trials that broke it, the most frequent first, and the number
        in each setting; `trials`, every excluded trial with the rules that it breaks.
    """
    return {"reasons": _reasons(inputs), "trials": _trials(inputs)}


def _reasons(inputs: Inputs) -> list[Row]:
    rows = [(str(row["rule"]), str(row["setting"])) for row in inputs.tables["excluded"]]
    count, by_setting = Counter(rule for rule, _setting in rows), Counter(rows)
    return [
        {
            "rule": rule,
            "trials": count[rule],
            "settings": {name: by_setting[rule, name] for name in inputs.campaign.settings},
        }
        for rule in sorted(count, key=lambda rule: (-count[rule], rule))
    ]


def _trials(inputs: Inputs) -> list[Row]:
    return [
        {
            "setting": key.setting,
            "pair": key.pair,
            "nn": key.nn,
            "solo": is_solo(key.pair),
            "status": rows[0]["status"],
            "reason": rows[0]["reason"],
            "rules": rows,
        }
        for key, rows in sorted(inputs.by_trial("excluded").items())
    ]
