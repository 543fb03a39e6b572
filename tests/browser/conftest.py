"""A browser and a server for the tests of a package, and visitors whose pages may not complain."""

import json
from collections.abc import Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.house import CHROMIUM, FLAGS, STATIC, House
from tests.browser.visitor import SIZES, Visitor


# For the package and no longer: while Playwright runs, no other test could start an event loop.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("NO BROWSER: nothing of the page was tested. Install chromium.")
    if not (STATIC / "index.html").exists():
        pytest.skip("NO CLIENT: nothing of the page was tested. Run make web.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def house(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with House(tmp_path_factory.mktemp("house")) as house:
        yield house


CHEAP = """addEventListener('DOMContentLoaded', () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '* { box-shadow: none !important } .cloth { background-image: none !important }'
  );
  document.adoptedStyleSheets.push(sheet);
})"""
"""Shadows and the weave of the cloth are half of what drawing costs where no graphics card helps.
Nothing lies elsewhere for them; the pictures of `make shots` have them."""


class Visits(Protocol):
    def __call__(
        self,
        size: str = "desktop",
        *,
        touch: bool = False,
        quick: bool = True,
        name: str = "Ann",
        house: House | None = None,
        **more: Any,
    ) -> Visitor: ...


@pytest.fixture
def visit(browser: Browser, house: House) -> Iterator[Visits]:
    """Opens a browser of one's own that knows a name and, mostly, that all be shown at once."""
    visitors: list[Visitor] = []
    default = house

    def come(
        size: str = "desktop",
        *,
        touch: bool = False,
        quick: bool = True,
        name: str = "Ann",
        house: House | None = None,
        **more: Any,
    ) -> Visitor:
        width, height = SIZES[size]
        place = house or default
        more.setdefault("locale", "en-GB")
        context = browser.new_context(
            viewport={"width": width, "height": height}, has_touch=touch, is_mobile=touch, **more
        )
        set_before = {"name": name, **({"pace": "instant", "haste": 50} if quick else {})}
        context.add_init_script(
            "if (!localStorage.getItem('pli.preferences'))"
            f"localStorage.setItem('pli.preferences', '{json.dumps(set_before)}')"
        )
        if quick:
            context.add_init_script(CHEAP)
        visitors.append(visitor := Visitor(place, context))
        if quick:
            visitor.hurry()
        return visitor

    yield come
    for visitor in visitors:
        visitor.context.close()
    troubles = [trouble for visitor in visitors for trouble in visitor.troubles]
    assert troubles == []
    assert house.complaints == ""
