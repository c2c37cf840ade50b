"""What verdicts the numbers of trials of a campaign can reach: some campaigns can only see, not judge.

A verdict needs six trials. One discovery among m pairs needs more: the smallest p of n trials is 2^(1 - n),
and it must be at most 5 % / m (scripts/metrics/signed_rank.py).
"""

from scripts.metrics.fairness import FEWEST, LEVEL
from scripts.metrics.signed_rank import trials_for_one
from scripts.model.campaign import Campaign


def out_of_reach(campaign: Campaign, setting: str) -> str | None:
    """What no trials of a setting can show, in a sentence; None if every verdict can be reached.

    A setting without two services that are compared by their shares has no verdicts, and no such sentence.
    """
    most, pairs = campaign.trials.most, len(campaign.compared_pairs(setting))
    if pairs == 0:
        return None
    if most < FEWEST:
        return (
            f"This campaign can only see, not judge: a verdict needs {FEWEST} trials of a pair, "
            f"and it measures at most {most}."
        )
    needed = trials_for_one(pairs, LEVEL)
    if most >= needed:
        return None
    return (
        f"This campaign can hardly call one service a loser: if the shares of only one of {pairs} pairs "
        f"differ, {most} trials of a pair cannot tell that from chance, which takes {needed}. It can show "
        "fair pairs, and losses if the shares of several pairs differ."
    )


def limits(campaign: Campaign) -> list[tuple[list[str], str]]:
    """The sentences of all settings, each with the settings that it is about, in the campaign's order."""
    settings_by_words: dict[str, list[str]] = {}
    for name in campaign.settings:
        if words := out_of_reach(campaign, name):
            settings_by_words.setdefault(words, []).append(name)
    return [(settings, words) for words, settings in settings_by_words.items()]
