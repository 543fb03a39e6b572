"""A browser and a server for all tests of the package, and users whose pages may log no error."""

import json
from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from pli import games
from pli.server.http.app import STATIC
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.server import ServerProcess
from tests.browser.user import SIZES, TIMEOUT, User

expect.set_options(timeout=TIMEOUT)


# For the package and no longer: while Playwright runs, no other test could start an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("NO BROWSER: nothing of the page was tested. Install chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    if not (STATIC / "index.html").exists():
        pytest.skip("NO CLIENT: nothing of the page was tested. Run make web.")
    with ServerProcess(tmp_path_factory.mktemp("server")) as server:
        yield server


CHEAP_STYLES = """addEventListener('DOMContentLoaded', () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '* { box-shadow: none !important } .cloth { background-image: none !important }'
  );
  document.adoptedStyleSheets.push(sheet);
})"""
"""Shadows and the cloth's texture are half the cost of painting without a graphics card. They
change no layout; the screenshots of `make shots` have them."""


NO_SERVICE_WORKER = "delete Navigator.prototype.serviceWorker"
"""A service worker fetches all files of the client, for pages that live longer than a test's."""


class NewUser(Protocol):
    def __call__(
        self,
        size: str = "desktop",
        *,
        touch: bool = False,
        quick: bool = True,
        name: str = "Ann",
        server: ServerProcess | None = None,
        installs: bool = False,
        **more: Any,
    ) -> User: ...


@pytest.fixture
def new_user(browser: Browser, server: ServerProcess) -> Iterator[NewUser]:
    """Makes users, each with a browser context of its own, its name stored and mostly the
    preference to show everything at once; one that `installs` has a service worker. At the end no
    page and no server may have logged an error."""
    users: list[User] = []
    default = server

    def make(
        size: str = "desktop",
        *,
        touch: bool = False,
        quick: bool = True,
        name: str = "Ann",
        server: ServerProcess | None = None,
        installs: bool = False,
        **more: Any,
    ) -> User:
        width, height = SIZES[size]
        chosen = server or default
        more.setdefault("locale", "en-GB")
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch, **more
        )
        preferences = {
            "name": name,
            "learned": list(games.names()),
            **({"pace": "instant", "haste": 50} if quick else {}),
        }
        context.add_init_script(
            "if (!localStorage.getItem('pli.preferences'))"
            f"localStorage.setItem('pli.preferences', '{json.dumps(preferences)}')"
        )
        if not installs:
            context.add_init_script(NO_SERVICE_WORKER)
        if quick:
            context.add_init_script(CHEAP_STYLES)
        users.append(user := User(chosen, context))
        if quick:
            user.speed_up_animations()
        return user

    yield make
    for user in users:
        user.context.close()
    errors = [error for user in users for error in user.errors]
    assert errors == []
    assert server.log == ""
