"""What the operator must have prepared for browsers is asked for before a trial."""

import pytest
import yaml

from scripts.base.errors import UserError
from services import preparation
from services.preparation import load_settings, require_prepared

DEFAULTS = {"window": "headless", "user": "nobody", "profiles": None, "addresses": {}}
PANEL = {"name": "panel", "origin": {"protocol": "h2"}}
FILE = {"name": "file", "live": {"prepare": "Share a file."}}
MEETING = {"name": "meeting", "live": {"url": "https://a.example/", "profile": True, "prepare": "Sign in."}}


@pytest.fixture
def prepare(tmp_path, monkeypatch):
    """Write config/browser.yaml with these keys."""
    monkeypatch.setattr(preparation, "FILE", tmp_path / "browser.yaml")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("OBSERVATORY_BROWSER", raising=False)

    def prepared(**keys) -> None:
        (tmp_path / "browser.yaml").write_text(yaml.safe_dump(DEFAULTS | keys))

    return prepared


@pytest.mark.parametrize(
    ("keys", "service", "reason"),
    [
        ({}, FILE, "addresses: lacks file; Share a file"),
        ({}, MEETING, "profiles: has none of meeting; Sign in"),
        ({"profiles": "/nowhere"}, MEETING, "profiles: has none of meeting"),
        ({"window": "headed"}, PANEL, "window: is headed, but DISPLAY names no display"),
        ({"window": "open"}, PANEL, "'open' is not one of headless, headed"),
        ({"addresses": {"file": "ftp://a.example"}}, FILE, "addresses.file"),
        ({"addresses": {"file": "https://a.example"}, "user": "root"}, FILE, "user: is root"),
        (
            {"addresses": {"file": "https://a.example"}, "user": "nobody-else"},
            FILE,
            "has no user nobody-else",
        ),
    ],
)
def test_what_lacks_is_told_with_what_to_do(prepare, keys, service, reason):
    prepare(**keys)
    with pytest.raises(UserError, match=reason):
        require_prepared([service])


def test_what_is_prepared_is_taken(prepare, tmp_path):
    (tmp_path / "meeting").mkdir()
    prepare(profiles=str(tmp_path), addresses={"file": "https://b.example/", "meeting": "https://c.example/"})
    require_prepared([PANEL, FILE, MEETING])
    settings = load_settings()
    assert settings.profile(MEETING) == tmp_path / "meeting"
    assert settings.profile(FILE) is None
    assert [settings.address(service) for service in (FILE, MEETING)] == [
        "https://b.example/",
        "https://c.example/",
    ]


def test_a_service_without_a_browser_needs_nothing(prepare):
    prepare(window="headed")
    require_prepared([{"name": "iperf-bbr"}])


def test_the_environment_goes_before_the_file(prepare, monkeypatch):
    prepare()
    monkeypatch.setenv("OBSERVATORY_BROWSER", "headed")
    assert not load_settings().headless
    monkeypatch.setenv("OBSERVATORY_BROWSER", "both")
    with pytest.raises(UserError, match="OBSERVATORY_BROWSER: window: 'both' is not one of"):
        load_settings()


def test_the_defaults_are_as_their_schema_says():
    assert load_settings().profiles is None
