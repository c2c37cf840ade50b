"""The data and the files of the page submit/: how to have a service measured.

submit/submission.schema.json    the JSON Schema of the file
submit/example.yaml              a file that the schema allows (site/root/static/)
submit/submissions.json          how many submissions were withdrawn after they were measured
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scripts.base.files import write_text
from scripts.base.records import to_json
from scripts.model.durations import readable, takes_s
from scripts.model.schemas import described
from scripts.model.submission import Form
from scripts.plan.campaign_file import campaign_names, load_campaign
from scripts.site import Row
from scripts.site.addresses import SUBMISSIONS
from scripts.site.hugo import SITE
from scripts.site.previous_site import Submissions
from scripts.site.settings import SiteSettings

SCHEMA_ADDRESS = "submit/submission.schema.json"
EXAMPLE_ADDRESS = "submit/example.yaml"
EXAMPLE = SITE / "root/static" / EXAMPLE_ADDRESS


def submit_page(settings: SiteSettings, withdrawn: int) -> Row:
    """The data of the page.

    Args:
        settings: those of the site, which say how a submission is handed in.
        withdrawn: how many submissions were withdrawn after they were measured.

    Raises:
        UserError: the campaign of the front page cannot be read.
    """
    return {
        "how": settings.submit,
        "fields": _fields(described(Form)),
        "schema": SCHEMA_ADDRESS,
        "example": {"address": EXAMPLE_ADDRESS, "text": EXAMPLE.read_text(encoding="utf-8").rstrip()},
        "protocol": _protocol(settings.campaign) if settings.campaign in campaign_names() else None,
        "withdrawn": withdrawn,
        "count": SUBMISSIONS,
    }


def write_schema(output: Path) -> None:
    """Write the schema below `output`, in the form that editors and validators read."""
    text = json.dumps(described(Form), indent=1, ensure_ascii=False)
    write_text(output / SCHEMA_ADDRESS, text + "\n")


def write_submissions(output: Path, withdrawn: int) -> None:
    """Write the number of withdrawn submissions below `output`. The next build may read it there."""
    write_text(output / SUBMISSIONS, json.dumps(to_json(Submissions(withdrawn))) + "\n")


def _fields(schema: Mapping[str, Any]) -> list[Row]:
    """Every field of the file: those that it must have first, else in the order of the schema.

    `values` is what a field, or each item of it, may be, if the schema lists that.
    """
    required = schema.get("required", ())
    fields = sorted(schema["properties"].items(), key=lambda field: field[0] not in required)
    return [
        {
            "name": name,
            "required": name in required,
            "says": field["description"],
            "values": [str(value) for value in field.get("enum", field.get("items", {}).get("enum", ()))],
        }
        for name, field in fields
    ]


def _protocol(name: str) -> Row:
    """What a trial and a pair take in a campaign, whose protocol and settings a submission has."""
    campaign = load_campaign(name)
    trials = campaign.trials
    lengths_s = sorted(campaign.times(key).duration_s for key in campaign.settings)
    least_s, most_s = trials.round * takes_s(lengths_s[0]), trials.most * takes_s(lengths_s[-1])
    return {
        "campaign": name,
        "settings": [{"name": key, "title": setting.title} for key, setting in campaign.settings.items()],
        "duration": _range(f"{lengths_s[0]} s", f"{lengths_s[-1]} s"),
        "trials": _range(str(trials.round), str(trials.most)),
        "takes": _range(readable(least_s), readable(most_s)),
        "counted": trials.counted,
    }


def _range(low: str, high: str) -> str:
    return low if low == high else f"{low} to {high}"
