"""docs/campaigns.md: every campaign, and the papers whose figures campaigns measure."""

from scripts.plan.campaign_file import campaign_names, load_campaign
from scripts.reference.markdown import head, row
from scripts.site.root.paper_files import Paper, read_papers

HEAD = """# Campaigns

A campaign is a file in `config/campaigns/`: what is measured, and what is expected of it. Its head says why.
`make plan CAMPAIGN=name` tells the time and the disk it takes, and `make cycle CAMPAIGN=name` measures it.
[CONTRIBUTING.md](../CONTRIBUTING.md#a-campaign) shows how to write one. `python -m scripts.reference` writes
this page.

`watchdog` is the full protocol of Prudentia with three plain flows, `reference` has a stand-in for each of
its services, and `three-services` goes beyond the paper. A title that ends with *(short form)* is that of a
campaign with few cells and six trials each (`corbel-fmp-short`: one). If it is about shares, its trials last
until shares can be steady, and it takes one to five hours; the others take 5 minutes to an hour and a half.

## The papers

Each paper has a page `papers/<paper>/` on the site: every printed figure beside ours, with the campaigns that
measure it. Live providers, WiFi and PCC are not measured here. The pages of the papers say so where it
matters.
"""
BATCHES = """
Prudentia gives neither the size of Mega's chunks nor its pause between batches. `batch-grid` measures nine
combinations once each. It looks for those with which Reno's share and the utilization are as in the paper.
`batch-grid-best` measures one of them six times, with two buffers.

## All campaigns
"""


def page() -> str:
    """The page, as Markdown."""
    papers = [row(paper.title, _source(paper), _names(_campaigns(paper))) for paper in read_papers().values()]
    campaigns = [_row(name) for name in campaign_names()]
    return "\n".join(
        [
            *(HEAD, head("paper", "where", "campaigns"), *papers, BATCHES),
            *(head("campaign", "what it measures", "settings", "services", "pairs"), *campaigns, ""),
        ]
    )


def _source(paper: Paper) -> str:
    """Where a paper was published, with its address if it has one."""
    where = " ".join(filter(None, [paper.venue, str(paper.year or "")]))
    return f"[{where}](https://doi.org/{paper.doi})" if paper.doi else where


def _campaigns(paper: Paper) -> list[str]:
    """The campaigns that measure a figure of a paper."""
    return sorted({name for figure in paper.figures for name in figure.campaigns})


def _names(names: list[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _row(name: str) -> str:
    campaign = load_campaign(name)
    counts = (str(len(part)) for part in (campaign.settings, campaign.services, campaign.pairs))
    return row(f"[`{name}`](../config/campaigns/{name}.yaml)", campaign.title, *counts)
