"""latest/: addresses that lead to the newest cycle.

    latest/<page>                                           of the campaign of the front page
    latest/<campaign>/<page>                                of any campaign
    latest/<campaign>/embed/<setting>/<pair>/               the page for frames
    latest/<campaign>/pairs/<setting>/<pair>/figure.svg     the chart of the pair, and figure.csv, its data

The newest cycle is the newest one that has the page and is not withdrawn. Pages lead to others, because a
folder of files answers with no redirect; figures are hard links.
"""

from html import escape
from pathlib import Path

from scripts.base.files import link, write_text
from scripts.site.addresses import up
from scripts.site.headers import EMBED_POLICY, UNLISTED, page_policy
from scripts.site.root.archive_cycles import Archive, Cycle

FOLDER = "latest/"
FIGURE_FORMS = ("svg", "csv")


def latest_addresses(archive: Archive) -> dict[str, str]:
    """For each page of a campaign, its address in the latest cycle that has it.

    The key is the folder below /latest/. A page that only withdrawn cycles or earlier revisions have leads to
    the first page of the latest cycle, because their pages name the address. Without any cycle that counts,
    everything leads to the front page.
    """
    addresses = _of_campaign(archive, archive.settings.campaign, archive.front)
    for campaign in {cycle.summary.campaign for cycle in archive.cycles}:
        newest = next(reversed(archive.counted(campaign)), None)
        pages = _of_campaign(archive, campaign, newest)
        addresses |= {f"{campaign}/{folder}": address for folder, address in pages.items()}
    return dict(sorted(addresses.items()))


def _of_campaign(archive: Archive, campaign: str, newest: Cycle | None) -> dict[str, str]:
    """The addresses of the pages that a campaign's pages name, and of all in the newest cycle's campaign."""
    first = newest.pages if newest else ""
    linking = [summary for cycle in archive.all_of(campaign) for summary in cycle.revisions]
    targets = dict.fromkeys(("", *(folder for summary in linking for folder in summary.pages)), first)
    if newest is None:
        return targets
    for cycle in archive.counted(newest.summary.campaign):
        targets |= {folder: cycle.pages + folder for folder in ("", *cycle.summary.pages)}
    return targets


def latest_pairs(archive: Archive) -> dict[tuple[str, str], str]:
    """The folder of the newest cycle's pages, by campaign and pair; the pair as `<setting>/<pair>`.

    Unlisted pages have none of it.
    """
    if archive.settings.unlisted:
        return {}
    return {
        (campaign, folder.removeprefix("pairs/").removesuffix("/")): cycle.pages
        for campaign in archive.campaigns
        for cycle in archive.counted(campaign)
        for folder in cycle.summary.pages
        if folder.startswith("pairs/") and folder.count("/") == len(("pairs", "<setting>", "<pair>"))
    }


def write_latest(site: Path, output: Path, archive: Archive) -> None:
    """Write the pages that lead to others, and link the figures.

    Args:
        site: the site with the pages of all cycles.
        output: the folder with the root's pages, to which latest/ is added.
        archive: the cycles.
    """
    policy = page_policy(archive.settings.captures)
    unlisted = archive.settings.unlisted is not None
    for folder, address in latest_addresses(archive).items():
        page = _redirect(up(FOLDER + folder), address, policy, unlisted=unlisted)
        write_text(output / FOLDER / folder / "index.html", page)
    for (campaign, pair), pages in latest_pairs(archive).items():
        _write_pair(site, output, f"{FOLDER}{campaign}/", pages, pair)


def _write_pair(site: Path, output: Path, folder: str, pages: str, pair: str) -> None:
    """What can be taken along of a pair, as far as its newest cycle has it."""
    embed = f"embed/{pair}/"
    if (site / pages / embed / "index.html").is_file():
        page = _redirect(up(folder + embed), pages + embed, EMBED_POLICY, unlisted=False)
        write_text(output / folder / embed / "index.html", page)
    for form in FIGURE_FORMS:
        chart = site / pages / "charts" / f"dots-{pair.replace('/', '-')}.{form}"
        if chart.is_file():
            link(chart, output / folder / "pairs" / pair / f"figure.{form}")


def _redirect(root: str, address: str, policy: str, *, unlisted: bool) -> str:
    robots = f'<meta name="robots" content="{UNLISTED}">\n' if unlisted else ""
    target, icon = escape(root + address), escape(f"{root}icon.svg")
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy, quote=False)}">\n'
        f'<meta http-equiv="refresh" content="0; url={target}">\n'
        f'<link rel="canonical" href="{target}">\n{robots}'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f'<link rel="icon" type="image/svg+xml" href="{icon}">\n'
        "<title>The latest cycle</title>\n</head>\n<body>\n"
        f'<p>This address leads to <a href="{target}">the latest cycle</a>.</p>\n</body>\n</html>\n'
    )
