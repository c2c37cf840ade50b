"""How each client of a trial differs from its setting."""

from dataclasses import replace

from scripts.model.campaign import Campaign
from scripts.model.pairs import is_solo, members
from scripts.model.settings import ClientPath, Setting


def client_paths(campaign: Campaign, setting: Setting, pair: str) -> list[ClientPath]:
    """The entry of the setting's `clients` for each client of a trial.

    A service alone has the entry of its first place in the campaign's pairs, and starts at once.
    """
    if not is_solo(pair):
        return [setting.client(number) for number, _ in enumerate(members(pair), start=1)]
    places = (members(other).index(pair) for other in campaign.pairs if pair in members(other))
    place = next(places, None)
    return [ClientPath() if place is None else replace(setting.client(place + 1), start_s=0)]
