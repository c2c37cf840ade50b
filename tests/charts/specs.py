"""Reading Vega-Lite specifications in tests."""


def rows_of(spec: dict, part: dict) -> list[dict]:
    """The rows that a layer or panel shows: its own, or those of the whole chart."""
    data = part.get("data") or spec["data"]
    return data["values"] if "values" in data else spec["datasets"][data["name"]]
