"""The events and results of Chromium's DevTools that services/tab.py reads, with the fields that it needs."""

import msgspec


class TabTarget(msgspec.Struct, rename="camel"):
    """A page, a frame of another site, a worker or another part of the browser."""

    target_id: str
    type: str


class Attached(msgspec.Struct, rename="camel"):
    """Target.attachedToTarget: there is a session for a target."""

    session_id: str
    target_info: TabTarget


class Dialog(msgspec.Struct, rename="camel"):
    """Page.javascriptDialogOpening."""

    type: str


class Frame(msgspec.Struct, rename="camel"):
    """A frame, and the registrable domain of its page; it is empty if the page has none."""

    url: str
    domain_and_registry: str = ""
    parent_id: str | None = None


class Navigated(msgspec.Struct, rename="camel"):
    """Page.frameNavigated."""

    frame: Frame


class PageContext(msgspec.Struct, rename="camel"):
    """The result of Page.createIsolatedWorld."""

    execution_context_id: int


class Value(msgspec.Struct, rename="camel"):
    """A value as JSON."""

    value: msgspec.Raw


class Evaluated(msgspec.Struct, rename="camel"):
    """The result of Runtime.evaluate."""

    result: Value
