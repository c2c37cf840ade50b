"""The browser settings that the operator must have prepared are checked before a trial."""

import pytest
import yaml

from scripts.base.errors import UserError
from scripts.model.services import Live, Origin, Probe, Service
from services import browser_settings
from services.browser_settings import load_settings, require_prepared

DEFAULTS = {"window": "headless", "profiles": None, "addresses": {}}


def service(name: str, **fields) -> Service:
    return Service(name, name, "Baseline", "iperf", None, Probe(443), **fields)


PANEL = service("panel", origin=Origin("h2"))
FILE = service("file", live=Live(prepare="Share a file."))
MEETING = service("meeting", live=Live(url="https://a.example/", profile=True, prepare="Sign in."))


@pytest.fixture
def prepare(tmp_path, monkeypatch):
    """Write config/browser.yaml with these keys."""
    monkeypatch.setattr(browser_settings, "FILE", tmp_path / "browser.yaml")
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("OBSERVATORY_BROWSER", raising=False)

    def prepared(**keys) -> None:
        (tmp_path / "browser.yaml").write_text(yaml.safe_dump(DEFAULTS | keys))

    return prepared


@pytest.mark.parametrize(
    ("keys", "browsed", "reason"),
    [
        ({}, FILE, "addresses: has no address for file; Share a file"),
        ({}, MEETING, "profiles: has no profile for meeting; Sign in"),
        ({"profiles": "/nowhere"}, MEETING, "profiles: has no profile for meeting"),
        ({"window": "headed"}, PANEL, "window: is headed, but DISPLAY names no display"),
        ({"window": "open"}, PANEL, "'open' is not one of headed, headless"),
        ({"addresses": {"file": "ftp://a.example"}}, FILE, "addresses.file"),
        ({"user": "nobody"}, FILE, "user: unknown key; known are: addresses, profiles, window"),
    ],
)
def test_the_error_for_a_missing_setting_says_what_to_do(prepare, keys, browsed, reason):
    prepare(**keys)
    with pytest.raises(UserError, match=reason):
        require_prepared([browsed])


def test_prepared_settings_are_used(prepare, tmp_path):
    (tmp_path / "meeting").mkdir()
    prepare(profiles=str(tmp_path), addresses={"file": "https://b.example/", "meeting": "https://c.example/"})
    require_prepared([PANEL, FILE, MEETING])
    settings = load_settings()
    assert settings.profile(MEETING) == tmp_path / "meeting"
    assert settings.profile(FILE) is None
    assert [settings.address(live) for live in (FILE, MEETING)] == [
        "https://b.example/",
        "https://c.example/",
    ]


def test_a_service_without_a_browser_needs_nothing(prepare):
    prepare(window="headed")
    require_prepared([service("iperf-bbr")])


def test_the_environment_replaces_the_window_of_the_file(prepare, monkeypatch):
    prepare()
    monkeypatch.setenv("OBSERVATORY_BROWSER", "headed")
    assert not load_settings().headless
    monkeypatch.setenv("OBSERVATORY_BROWSER", "both")
    with pytest.raises(UserError, match="OBSERVATORY_BROWSER: window: 'both' is not one of"):
        load_settings()


def test_the_file_in_the_repository_is_valid():
    assert load_settings().profiles is None
