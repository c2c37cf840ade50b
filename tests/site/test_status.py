"""The status line: which cycles it names, and that nothing else of a page changes."""

import pytest

from scripts.site.status import with_status, write_status

PAGE = "<p>before</p>\r\n<!--status--><!--/status-->\n<p>after</p>"


def test_a_status_can_be_set_changed_and_taken_back():
    changed = with_status(with_status(PAGE, "<p>old</p>"), "<p>new</p>")
    assert PAGE.replace("--><!--/", "--><p>new</p><!--/") == changed
    assert PAGE == with_status(changed, "")


def test_a_page_without_the_line_is_an_error_that_names_it(tmp_path):
    page = tmp_path / "index.html"
    page.write_text("<p>before</p>")
    with pytest.raises(ValueError, match=r"index\.html: the page has no line for its status"):
        write_status(tmp_path, [page], lambda root: "")


def test_a_page_is_replaced_and_not_written_to_because_the_old_site_links_to_it(tmp_path):
    page, old = tmp_path / "a/b/index.html", tmp_path / "old.html"
    page.parent.mkdir(parents=True)
    page.write_bytes(PAGE.encode())
    old.hardlink_to(page)
    write_status(tmp_path, [page], lambda root: f"<a href='{root}cycles/'>")
    assert PAGE.encode() == old.read_bytes()
    assert PAGE.replace("--><!--/", "--><a href='../../cycles/'><!--/").encode() == page.read_bytes()
