"""An independent check of completeness: npm's speedline evaluates the same pictures of a real Chromium."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from scripts.metrics.qoe import speed_index, visually_complete
from services.devtools import Event
from services.screencast import Screencast
from services.tab import Tab
from tests.services.local_site import local_browser

pytestmark = pytest.mark.traffic

ORACLE = Path(__file__).with_name("speedline")
TOLERANCE_S = 0.1
STEPS = 8
STEP_S = 0.25
PAGE = f"""<!doctype html><body style="margin:0"><script>
for (let step = 0; step < {STEPS}; step += 1) setTimeout(() => {{
  const part = document.createElement("div");
  const colours = `hsl(${{step * 40}} 80% 50%),hsl(${{step * 25}} 60% 20%)`;
  part.style.cssText = `height:100px;background:linear-gradient(90deg,${{colours}})`;
  document.body.append(part);
}}, {STEP_S * 1000} * (step + 1));
</script></body>"""


class Recorder:
    """Keeps the pictures of a screencast: times in seconds, and JPEG in base64."""

    def __init__(self) -> None:
        self.pictures: list[tuple[float, str]] = []

    def hear(self, event: Event) -> None:
        if event.method == "Page.screencastFrame":
            params = event.read(dict)
            self.pictures.append((params["metadata"]["timestamp"], params["data"]))


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """The screencast of a page that fills in steps, its pictures, and the start of the page."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "page.html").write_text(PAGE)
    with local_browser(folder) as opened, Tab(opened) as tab:
        recorder = Recorder()
        tab.listeners.append(recorder.hear)
        screencast = Screencast(tab)
        tab.navigate((folder / "page.html").as_uri())
        tab.follow(STEPS * STEP_S + 1)
        start_s = tab.evaluate("performance.timeOrigin", float) / 1000
    return screencast, recorder.pictures, start_s


@pytest.fixture(scope="module")
def speedline(recording, tmp_path_factory):
    """The results of speedline for these pictures."""
    _, pictures, start_s = recording
    work = tmp_path_factory.mktemp("speedline")
    for name in ("package.json", "package-lock.json", "judge.js"):
        shutil.copyfile(ORACLE / name, work / name)
    install = [
        "npm",
        "ci",
        "--prefer-offline",
        "--no-audit",
        "--no-fund",
        "--ignore-scripts",
        "--loglevel=error",
    ]
    subprocess.run(install, cwd=work, check=True, stdout=subprocess.DEVNULL)
    trace = [{"cat": "navigation", "ts": start_s * 1e6}]
    for at_s, data in pictures:
        if at_s > start_s:
            event = {"cat": "disabled-by-default-devtools.screenshot", "ts": at_s * 1e6}
            trace.append(event | {"args": {"snapshot": data}})
    (work / "trace.json").write_text(json.dumps(trace))
    done = subprocess.run(
        ["node", "judge.js", "trace.json"], cwd=work, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def test_speedline_finds_the_page_complete_at_the_same_time(recording, speedline):
    times_s, completeness = recording[0].completeness(recording[2])
    found = visually_complete(times_s, completeness, 0.95)
    assert found == pytest.approx(speedline["visually_complete_s"], abs=TOLERANCE_S)
    assert found > (STEPS - 2) * STEP_S, "the page is complete only near its end"


def test_speedline_finds_the_same_speed_index(recording, speedline):
    times_s, completeness = recording[0].completeness(recording[2])
    assert speed_index(times_s, completeness) == pytest.approx(speedline["speed_index_s"], abs=TOLERANCE_S)
