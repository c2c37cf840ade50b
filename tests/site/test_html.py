"""Every page is valid HTML."""

from tests.site.html_check import assert_valid, problems


def test_every_page_of_a_cycle_is_valid(either, tmp_path):
    assert_valid(either.base, tmp_path)


def test_an_error_in_a_page_is_found(tmp_path):
    (tmp_path / "pages").mkdir()
    page = "<!doctype html>\n<html lang=en><head><title>A</title></head><body><p>a<div>b</p></body></html>\n"
    (tmp_path / "pages/index.html").write_text(page)
    assert any("close-order" in found for found in problems(tmp_path / "pages", tmp_path))
