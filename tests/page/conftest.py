from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.page.browser import Server, Table, chromium_path, launched


@pytest.fixture(scope="session")
def server() -> Iterator[Server]:
    chromium_path()
    server = Server()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def warm(server: Server) -> Server:
    server.wait_until_warm("hint")
    return server


@pytest.fixture(scope="session")
def browser() -> Iterator[tuple[Any, Any]]:
    with launched() as pair:
        yield pair


@pytest.fixture
def table(server: Server, browser: tuple[Any, Any]) -> Iterator[Table]:
    context = browser[1].new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    table = Table(context.new_page(), server)
    yield table
    context.close()
    assert table.errors == []


@pytest.fixture
def phone(server: Server, browser: tuple[Any, Any]) -> Iterator[Table]:
    playwright, chromium = browser
    context = chromium.new_context(**playwright.devices["Pixel 7"], locale="en-GB")
    table = Table(context.new_page(), server)
    yield table
    context.close()
    assert table.errors == []
