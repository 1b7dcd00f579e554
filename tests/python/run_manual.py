"""Runs the Python blocks of a manual page one after the other, as the cells of a notebook: `await` stands at the top level, and names stay.

    python3 tests/python/run_manual.py docs/python.md name=value ...

The names given are there before the first block. Prints what the blocks print, and a line for each block that ran. The first error
ends the run, with the line of the page it comes from.
"""

import ast
import asyncio
import inspect
import re
import sys
from pathlib import Path
from types import CodeType

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[tuple[int, CodeType]]:
    """The line on which each block begins, and its code. Its lines are numbered as on the page, for the traceback."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in BLOCK.finditer(text):
        first_line = text.count("\n", 0, match.start(1)) + 1
        source = "\n" * (first_line - 1) + match.group(1)
        found.append((first_line, compile(source, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)))
    return found


async def main(page: Path, names: dict[str, str]) -> None:
    """Runs the page."""
    namespace: dict[str, object] = {"__name__": "__manual__", **names}
    for line, code in blocks(page):
        running = eval(code, namespace)  # noqa: S307 - the manual's own code
        if inspect.isawaitable(running):
            await running
        print(f"{page.name}:{line} ran", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), dict(given.split("=", 1) for given in sys.argv[2:])))
