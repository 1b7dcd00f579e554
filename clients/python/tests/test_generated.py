"""The operations that block are generated from those that await."""

from __future__ import annotations

import pytest
from generate_blocking import GENERATED, blocking, generate


def test_the_generated_modules_match_their_sources() -> None:
    files = {path: path.read_text(encoding="utf-8") for path in GENERATED.glob("*.py") if path.name != "__init__.py"}
    assert files == generate(), "Run `npm run python -- generate`."


def test_a_text_that_is_true_only_of_asyncio_is_refused() -> None:
    for text in ('"""Await it."""', "# Runs in the event loop."):
        with pytest.raises(ValueError, match=r"keys\.py:1: .* not true of the blocking half"):
            blocking(f"{text}\n", "keys.py")


def test_code_loses_the_words_of_asyncio_and_has_the_names_of_the_blocking_half() -> None:
    awaiting = 'async def read(client: AsyncClient) -> str:\n    """As `read`."""\n    return await client.get()  # `read`\n'
    expected = 'def read_sync(client: Client) -> str:\n    """As `read_sync`."""\n    return client.get()  # `read_sync`\n'
    assert blocking(awaiting, "keys.py").split("\n", 1)[1] == expected
