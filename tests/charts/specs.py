"""Reading Vega-Lite specifications in tests."""


def rows_of(spec: dict, part: dict, panel: dict | None = None) -> list[dict]:
    """The rows that a layer or panel shows: its own, its panel's, or those of the whole chart."""
    data = part.get("data") or (panel or {}).get("data") or spec["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]
