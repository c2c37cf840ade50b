"""An independent check of completeness: npm's speedline evaluates the same pictures of a real Chromium."""

import json
import shutil
import subprocess
import time
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from scripts.metrics.qoe import speed_index, visually_complete
from services.browser import FLAGS, HEADLESS
from services.screencast import Screencast

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
    """A browser that keeps the pictures of its screencast: times in seconds, and JPEG in base64."""

    def __init__(self, browser: webdriver.Chrome) -> None:
        self._browser = browser
        self.execute_cdp_cmd = browser.execute_cdp_cmd
        self.pictures: list[tuple[float, str]] = []

    def execute(self, command: str, parameters: dict) -> dict:
        answer = self._browser.execute(command, parameters)
        for entry in answer["value"]:
            event = json.loads(entry["message"])["message"]
            if event["method"] == "Page.screencastFrame":
                params = event["params"]
                self.pictures.append((params["metadata"]["timestamp"], params["data"]))
        return answer


@pytest.fixture(scope="module")
def recording(tmp_path_factory):
    """The screencast of a page that fills in steps, its pictures, and the start of the page."""
    folder = tmp_path_factory.mktemp("page")
    (folder / "page.html").write_text(PAGE)
    options = Options()
    options.binary_location = shutil.which("chromium")
    for flag in [*FLAGS, *HEADLESS, "--no-sandbox", f"--user-data-dir={folder / 'profile'}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"enableNetwork": False, "enablePage": True})
    with webdriver.Chrome(options, Service(shutil.which("chromedriver"))) as browser:
        recorder = Recorder(browser)
        screencast = Screencast(recorder)
        screencast.start()
        browser.get((folder / "page.html").as_uri())
        end = time.monotonic() + STEPS * STEP_S + 1
        while time.monotonic() < end:
            screencast.poll()
        start_s = browser.execute_script("return performance.timeOrigin") / 1000
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
