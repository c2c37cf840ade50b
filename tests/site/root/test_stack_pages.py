"""The pages of stacks: what each leaves kernel Cubic, over its versions, and how it sends alone."""

import re
from dataclasses import replace

import pytest

from scripts.figures.catalogue import CATALOGUE
from scripts.site.addresses import Place
from scripts.site.data.summary import StackSummary
from scripts.site.root.archive_cycles import Archive, read_archive
from scripts.site.root.build_root import build_root
from scripts.site.root.stack_pages import (
    ALONE,
    KERNEL_CUBIC,
    StackFigure,
    measured_stacks,
    stack_pages,
    version_changes,
    version_order,
)
from tests.site.pages_read import Site, row_named, table_of, text
from tests.site.root.root_read import figures
from tests.site.root.sample_archive import SETTINGS
from tests.site.root.sample_stacks import NEWER, NGTCP2, OLDER, write_stacks
from tests.site.root.sample_summaries import make_rows, make_summary, write_pages


@pytest.fixture(scope="module")
def site(tmp_path_factory) -> Site:
    """The root's pages of an archive with stacks."""
    root = tmp_path_factory.mktemp("stacks") / "public"
    write_stacks(root)
    build_root(root, SETTINGS, {}, ())
    return Site(root)


@pytest.fixture(scope="module")
def archive(site) -> Archive:
    """The same archive as the pages read it."""
    return read_archive(site.root, SETTINGS, {}, ())


def kept(site, place, service) -> float:
    """The share that kernel Cubic keeps beside a service, in percent."""
    (row,) = figures(site, place, service=KERNEL_CUBIC, contender=service, figure="share")
    return 100 * row["median"]


def test_the_matrix_has_the_latest_version_of_each_stack_and_its_controllers(site):
    table = table_of(site.page("stacks/"), "8 Mbps")
    assert ["stack ↓", "BBRv1", "Cubic"] == [text(cell) for cell in table.findall("./thead/tr/th")]
    for name, place in (("ngtcp2 0.12.1", NGTCP2), ("Our programs on quinn 0.11.12", NEWER)):
        stack = place.campaign.removeprefix("stacks-")
        shown = row_named(table, name)
        for cell, cca in zip(shown, ("bbr", "cubic"), strict=True):
            assert f"{kept(site, place, f'{stack}-{cca}'):.0f}" == cell.split()[0].removesuffix("≠")


def test_the_stack_that_leaves_least_is_on_top(archive, tmp_path):
    (table,) = stack_pages(archive, tmp_path)["tables"]
    shares = [[float(cell["text"].removesuffix("≠")) for cell in row["cells"]] for row in table["rows"]]
    assert 2 == len(shares) and min(shares[0]) < min(shares[1])


def test_a_share_that_one_trial_showed_puts_no_stack_on_top(archive):
    stacks = measured_stacks(archive)
    (link,) = stacks["quinn"].settings
    lowest, other = sorted(stacks.values(), key=lambda stack: stack.least(link))
    cells = tuple(
        replace(cell, figures={key: _of_four_trials(one) for key, one in cell.figures.items()})
        for cell in lowest.cells
    )
    assert replace(lowest, cells=cells).least(link) > other.least(link) > lowest.least(link)
    nothing = tuple(
        replace(cell, figures={key: _of_median(0.0, one) for key, one in cell.figures.items()})
        for cell in other.cells
    )
    assert replace(other, cells=nothing).least(link) == (0.0, 0.0)


def test_a_cell_leads_to_its_pair_and_a_row_to_its_stack(site):
    table = table_of(site.page("stacks/"), "8 Mbps")
    targets = [site.target("stacks/index.html", link.get("href"))[0] for link in table.iter("a")]
    pairs = [site.root / NGTCP2.pages / f"pairs/8mbps/iperf-cubic~ngtcp2-{cca}" for cca in ("bbr", "cubic")]
    of_ngtcp2 = [target.parent for target in targets if "ngtcp2" in str(target)]
    assert [site.root / "stacks/ngtcp2", *pairs] == of_ngtcp2
    assert all(target.is_file() for target in targets)


def test_the_page_of_a_stack_has_every_version_of_each_controller_the_oldest_first(site):
    page = site.page("stacks/quinn/")
    table = table_of(page, "What it leaves kernel Cubic")
    rows = [text(row) for row in table.findall("./tbody/tr")]
    order = [(cca, place) for cca in ("bbr", "cubic") for place in (OLDER, NEWER)]
    names = ["BBRv1 0.9.4", "BBRv1 0.11.12", "Cubic 0.9.4", "Cubic 0.11.12"]
    for row, name, (cca, place) in zip(rows, names, order, strict=True):
        assert row.startswith(f"{name}{kept(site, place, f'quinn-{cca}'):.0f} %")
        assert ", n = 10" in row
    old, new = (rf"{kept(site, place, 'quinn-bbr'):.0f} % \(.*?, n = 10\)" for place in (OLDER, NEWER))
    words = f"at 8 Mbps: kernel Cubic keeps {old} → {new} of its fair share."
    assert re.search(f"BBRv1, 0.9.4 → 0.11.12, {words}", text(page))


def test_few_trials_tell_no_change_between_versions(archive):
    quinn = measured_stacks(archive)["quinn"]
    (link,) = quinn.settings
    assert all(words.endswith("of its fair share.") for words in version_changes(quinn, link))
    cells = [
        replace(cell, figures={key: _of_four_trials(one) for key, one in cell.figures.items()})
        if cell.stack.version == "0.9.4"
        else cell
        for cell in quinn.cells
    ]
    trials = "(n\u00a0=\u00a04 → 10)"
    words = f"too few trials to tell a change of BBRv1 {trials} and Cubic {trials}."
    assert [f"0.9.4 → 0.11.12, at 8\u00a0Mbps: {words}"] == [
        *version_changes(replace(quinn, cells=cells), link)
    ]
    first, second = version_changes(replace(quinn, cells=(cells[0], *quinn.cells[1:])), link)
    assert first.startswith("Cubic, ") and first.endswith("of its fair share.")
    assert second.endswith(f"too few trials to tell a change of BBRv1 {trials}.")


def _of_median(median: float, one: StackFigure) -> StackFigure:
    return replace(one, figure=replace(one.figure, median=median))


def _of_four_trials(one: StackFigure) -> StackFigure:
    return replace(one, figure=replace(one.figure, n=4, low=None, verdict="seen"))


def test_more_trials_count_more_than_a_later_cycle(archive):
    (cell,) = [
        one
        for one in measured_stacks(archive)["quinn"].cells
        if one.order == ("Cubic", ([0, 11, 12], "0.11.12"))
    ]
    assert {(NEWER.cycle, 10)} == {(one.cycle.name, one.figure.n) for one in cell.figures.values()}


def test_its_figures_alone_lead_to_their_trials(site):
    page = "stacks/ngtcp2/index.html"
    table = table_of(site.pages[page], "Medians")
    heads = [text(cell) for cell in table.findall("./thead/tr/th")]
    assert [CATALOGUE[name].name for name in ALONE] == heads[2:-1]
    shown = row_named(table, "Cubic 0.12.1")
    assert ["98.0 %", "1.30 %", "2.8 packets", "10 packets", "1.38 s/GB", "2.12 s/GB", "10"] == shown[1:]
    targets = {site.target(page, link.get("href"))[0].parent for link in table.iter("a")}
    assert site.root / NGTCP2.pages / "solos/8mbps/ngtcp2-cubic" in targets
    assert site.root / "services/ngtcp2-cubic" in targets


def test_a_name_of_its_own_has_only_a_stack_whose_own_server_ran(site):
    titles = [text(site.page(f"stacks/{name}/").find(".//h1")) for name in ("ngtcp2", "quinn")]
    assert ["ngtcp2", "Our programs on quinn"] == titles


def test_the_answer_of_the_maintainers_stands_on_the_page(archive, tmp_path):
    (tmp_path / "ngtcp2").mkdir()
    (tmp_path / "ngtcp2/maintainers.md").write_text(
        "# Hello\n\n## Your answer\n\nWe pace.\n\n## More\n\nNo.\n"
    )
    pages = stack_pages(archive, tmp_path)["pages"]
    assert ("We pace.", None) == (pages["ngtcp2"]["answer"], pages["quinn"]["answer"])


def test_the_answer_of_ngtcp2_is_that_of_its_file(site):
    page = site.page("stacks/ngtcp2/")
    assert "None yet." in text(page) and "What its maintainers say" in text(page)
    commands = text(page.find(".//pre"))
    assert commands.startswith(
        "python -m services.endpoint check services/stacks/ngtcp2 python -m testbed pair"
    )
    assert commands.endswith("make cycle CAMPAIGN=stacks-ngtcp2")
    assert "services/stacks/ngtcp2/README.md says how to build it, and maintainers.md" in text(page)


def test_services_lead_to_stacks_and_no_page_of_stacks_has_a_broken_link(site):
    assert site.root / "stacks/index.html" in {
        site.target("services/index.html", link)[0] for link in site.links("services/index.html")
    }
    for name in ("stacks/index.html", "stacks/ngtcp2/index.html", "stacks/quinn/index.html"):
        for link in site.links(name):
            target, _fragment = site.target(name, link)
            assert target.is_file() or "http" in link, f"{name}: {link}"


def test_settings_of_one_name_with_different_links_are_apart(tmp_path):
    write_stacks(tmp_path)
    summary = make_summary(Place("other", "2026-12-30"), [KERNEL_CUBIC, "quinn-cubic"])
    told = StackSummary("quinn", "0.11.12", "Cubic", shipped=True)
    services = tuple(replace(one, stack=told if "quinn" in one.name else None) for one in summary.services)
    settings = (replace(summary.settings[0], link="a link of 10 ms; trials of 60 s"),)
    summary = replace(summary, services=services, settings=settings)
    write_pages(tmp_path, summary, make_rows(summary, 6))
    stack = measured_stacks(read_archive(tmp_path, SETTINGS, {}, ()))["quinn"]
    assert ["a link of 10 ms", "a link of 50 ms"] == sorted(stack.settings)
    cell = stack.cell("Cubic")
    assert (6, 10) == tuple(cell.share(link).figure.n for link in sorted(stack.settings))


def test_a_version_whose_server_is_of_another_kind_says_whose_it_is(tmp_path):
    write_stacks(tmp_path)
    place = Place("stacks-quinn", "2026-12-31")
    summary = make_summary(place, [KERNEL_CUBIC, "quinn-cubic"])
    told = StackSummary("quinn", "1.0.0", "Cubic", shipped=True)
    services = tuple(replace(one, stack=told if "quinn" in one.name else None) for one in summary.services)
    write_pages(tmp_path, summary := replace(summary, services=services), make_rows(summary))
    page = stack_pages(read_archive(tmp_path, SETTINGS, {}, ()))["pages"]["quinn"]
    assert "quinn" == page["title"]
    of_cubic = [row["sub"] for row in page["leaves"] if row["title"] == "Cubic"]
    assert ["0.9.4, our programs", "0.11.12, our programs", "1.0.0"] == of_cubic


def test_an_archive_without_stacks_has_no_table(tmp_path):
    write_pages(tmp_path, summary := make_summary(OLDER, ["bbr", "cubic"]), make_rows(summary))
    assert {"tables": [], "pages": {}} == stack_pages(read_archive(tmp_path, SETTINGS, {}, ()))


def test_versions_are_sorted_by_their_numbers():
    assert ["0.9.4", "0.11.12", "0.12.1"] == sorted(["0.12.1", "0.9.4", "0.11.12"], key=version_order)
