"""The one tab of a driver's browser, and what its page does that no service must do.

A dialog is dismissed and another window is closed as soon as it opens. Scripts of ours run in a world of
their own (an isolated world): they share the document with the page, but no object of JavaScript. So the
page cannot replace what they call.
"""

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import urlsplit

import msgspec
from selenium import webdriver

from scripts.base.records import Json
from scripts.model.problems import Code, Problem, problem
from services.devtools import ANSWER_S, DevTools, Event
from services.drivers import ServiceError
from services.tab_records import Attached, Dialog, Evaluated, Frame, Navigated, PageContext

SCRIPT_S = 3
"""How long a page may take to run a script of ours before it counts as not answering."""

WORLD = "observer"
ERROR_PAGE = "chrome-error:"
"""How the address of the browser's own error page begins."""

Answer = TypeVar("Answer")
Listener = Callable[[Event], None]


class Tab:
    """The tab of a new browser. It has no other.

    Attributes:
        opened: the browser.
        problem: the first thing that the page did and no service must do. None if there is none.
        answered: whether the page that was opened last, or the browser's error page, has begun to come.
        unreachable: whether the browser shows its own error page.
        away: whether the page has left its site.
        may_move: whether a page may still go to another site, such as one that is being opened.
        main_frame: the identifier of the page's frame.
        listeners: functions that get every event.
    """

    def __init__(self, opened: webdriver.Chrome, may_download: bool = True) -> None:
        self.opened = opened
        self.problem: Problem | None = None
        self.answered = False
        self.unreachable = False
        self.away = False
        self.may_move = False
        self.listeners: list[Listener] = []
        self.main_frame = opened.current_window_handle
        self._may_download = may_download
        self._counts_traffic = False
        self._site: str | None = None
        self._session: str | None = None
        port = str(opened.capabilities["goog:chromeOptions"]["debuggerAddress"]).rpartition(":")[2]
        self._devtools = DevTools(int(port), self._handle)
        self._is_ready = False
        self._attach()
        self._is_ready = True

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._devtools.close()

    def send(self, method: str, **parameters: Json) -> None:
        """Send a command of the DevTools to the page."""
        self._devtools.send(method, self._session, **parameters)

    def follow(self, seconds: float) -> None:
        """Handle what happens in the next `seconds`."""
        self._devtools.follow(seconds)

    def observe(self, script: str) -> None:
        """Run a script in our world of every page that opens, before the page's own."""
        self._set("Page.addScriptToEvaluateOnNewDocument", source=script, worldName=WORLD)

    def count_traffic(self) -> None:
        """Let the listeners hear of every request of the page, its frames and its workers."""
        self._counts_traffic = True
        self._set("Network.enable", maxTotalBufferSize=0, maxResourceBufferSize=0)

    def navigate(self, address: str) -> None:
        """Begin to open a page."""
        self.answered = self.unreachable = False
        self._site = None
        self.send("Page.navigate", url=address)

    def evaluate(self, expression: str, kind: type[Answer]) -> Answer | None:
        """The value of an expression in our world; None if the page does not answer, or not with this kind.

        Raises:
            ServiceError: the browser itself does not answer.
        """
        context = self._ask(PageContext, "Page.createIsolatedWorld", frameId=self.main_frame, worldName=WORLD)
        if context is None:
            return None
        return self._evaluate(expression, kind, contextId=context.execution_context_id)

    def evaluate_in_page(self, expression: str, kind: type[Answer]) -> Answer | None:
        """As `evaluate`, in the page's own world: for pages of ours only."""
        return self._evaluate(expression, kind)

    def click(self, x: float, y: float) -> None:
        """Click at this place of the window."""
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def _attach(self) -> None:
        """Attach to the tab and, as they appear, to its frames of other sites and its workers."""
        self._attach_children(None)
        deadline = time.monotonic() + ANSWER_S
        while self._session is None and time.monotonic() < deadline:
            self.follow(0.05)
        if self._session is None:
            raise ServiceError(problem(Code.BROWSER_NOT_STARTED, ANSWER_S))
        for method in ("Page.enable", "Inspector.enable"):
            self._set(method)
        if not self._may_download:
            self._devtools.send("Browser.setDownloadBehavior", behavior="deny")

    def _attach_children(self, session: str | None) -> None:
        """They wait until we attached to them, so that nothing that they do is missed."""
        self._devtools.send(
            "Target.setAutoAttach", session, autoAttach=True, waitForDebuggerOnStart=True, flatten=True
        )

    def _set(self, method: str, **parameters: Json) -> None:
        """Send a command that also holds for later pages: only after its result does the browser know it."""
        if self._devtools.ask(dict[str, str], ANSWER_S, method, self._session, **parameters) is None:
            raise ServiceError(problem(Code.BROWSER_SILENT, ANSWER_S))

    def _ask(self, kind: type[Answer], method: str, **parameters: Json) -> Answer | None:
        asked = time.monotonic()
        answer = self._devtools.ask(kind, SCRIPT_S, method, self._session, **parameters)
        if answer is None and time.monotonic() - asked >= SCRIPT_S:
            version = self._devtools.ask(dict[str, str], ANSWER_S, "Browser.getVersion")
            if version is None:
                raise ServiceError(problem(Code.BROWSER_SILENT, ANSWER_S))
        return answer

    def _evaluate(self, expression: str, kind: type[Answer], **context: Json) -> Answer | None:
        options: dict[str, Json] = {"returnByValue": True, "timeout": SCRIPT_S * 1000, **context}
        evaluated = self._ask(Evaluated, "Runtime.evaluate", expression=expression, **options)
        try:
            return None if evaluated is None else msgspec.json.decode(evaluated.result.value, type=kind)
        except msgspec.ValidationError:
            return None

    def _handle(self, event: Event) -> None:
        match event.method:
            case "Target.attachedToTarget":
                self._join(event.read(Attached))
            case "Page.javascriptDialogOpening":
                self._dismiss(event)
            case "Page.downloadWillBegin":
                self._download()
            case "Inspector.targetCrashed":
                self._note(Code.PAGE_CRASHED)
            case "Page.frameNavigated" if event.session == self._session:
                self._arrive(event.read(Navigated).frame)
        for listener in self.listeners:
            listener(event)

    def _join(self, attached: Attached) -> None:
        """Close a window; let a frame of another site or a worker begin."""
        session, target = attached.session_id, attached.target_info
        if target.type == "page" and target.target_id != self.main_frame:
            if self._is_ready:
                self._note(Code.WINDOW)
            self._devtools.send("Target.closeTarget", targetId=target.target_id)
            return
        if target.type == "page":
            self._session = session
        if self._counts_traffic:
            self._devtools.send("Network.enable", session, maxTotalBufferSize=0, maxResourceBufferSize=0)
        self._attach_children(session)
        self._devtools.send("Runtime.runIfWaitingForDebugger", session)

    def _dismiss(self, event: Event) -> None:
        """Dismiss a dialog. If it asks whether to leave the page, the answer is yes."""
        leaves = event.read(Dialog).type == "beforeunload"
        self._devtools.send("Page.handleJavaScriptDialog", event.session, accept=leaves)
        self._note(Code.DIALOG)

    def _download(self) -> None:
        self.answered = True
        if not self._may_download:
            self._note(Code.DOWNLOAD)

    def _arrive(self, frame: Frame) -> None:
        """The page, or a page of another site, or the browser's own error page begins to be shown."""
        if frame.parent_id is not None:
            return
        self.answered = True
        self.unreachable = frame.url.startswith(ERROR_PAGE)
        if self.unreachable:
            return
        site = frame.domain_and_registry or urlsplit(frame.url).hostname or ""
        if self._site is None or self.may_move:
            self._site = site or None
        self.away = self._site is not None and site != self._site
        if self.away:
            self._note(Code.LEFT_SITE)

    def _note(self, code: Code) -> None:
        self.problem = self.problem or problem(code)
