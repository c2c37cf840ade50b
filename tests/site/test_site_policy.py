"""No page has anything that its own policy forbids."""

from html import unescape

from scripts.site.headers import security


def forbidden(element) -> bool:
    """Whether a browser would not run or not show a part of an element."""
    inline = element.tag == "script" and "src" not in element.attrib
    return (
        element.tag == "style"
        or (inline and element.get("type") != "application/ld+json")
        or any(name == "style" or name.startswith("on") for name in element.attrib)
        or any(value.startswith(("data:", "javascript:")) for value in element.attrib.values() if value)
    )


def test_no_page_has_inline_styles_or_scripts_or_data_addresses(published):
    found = [
        f"{page}: <{element.tag} {element.attrib}>"[:200]
        for page, root in published.pages.items()
        for element in root.iter()
        if isinstance(element.tag, str) and forbidden(element)
    ]
    assert not found, "\n".join(found)


def test_every_page_has_the_policy_that_the_server_sends(published):
    for page, root in published.pages.items():
        (policy,) = (
            meta.get("content")
            for meta in root.iter("meta")
            if meta.get("http-equiv", "").startswith("Content")
        )
        ancestors = "*" if "/embed/" in page else "'none'"
        expected = f"{unescape(policy)}; frame-ancestors {ancestors}"
        assert expected == security(page, "captures/")["Content-Security-Policy"], page
