"""Runs the Python blocks of a manual page in order, as a reader would.

    python3 tests/python/run_manual.py docs/libraries.md ROBOT_ID [IDENTITY_PREFIX]

A block runs like a cell of a notebook: `await` is allowed at the top level, and names are kept from block to block. The
names `client`, `session` and `robot_id` exist before the first block, and the world of a simulated robot is fresh. A block
with `asyncio.run(` runs as a separate program, with ROBOT_ID as its argument. Prints the output of the blocks, and a line
for each block that ran. The first error ends the run and is shown with its line on the page.
"""

import ast
import asyncio
import inspect
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from platform_robot_sdk import AsyncClient, connect

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> Iterator[tuple[int, str]]:
    """Yields the first line of each block, and its source, whose lines are numbered as on the page for the traceback."""
    text = page.read_text(encoding="utf-8")
    for match in BLOCK.finditer(text):
        first_line = text.count("\n", 0, match.start(1)) + 1
        yield first_line, "\n" * (first_line - 1) + match.group(1)


async def run_program(source: str, robot_id: str) -> None:
    """Runs a block as a program. Raises SystemExit if it fails; its traceback is in the output."""
    program = Path("program.py")
    program.write_text(source, encoding="utf-8")
    running = await asyncio.create_subprocess_exec(sys.executable, str(program), robot_id)
    if await running.wait() != 0:
        raise SystemExit(f"The program ended with {running.returncode}.")


async def main(page: Path, robot_id: str, identity_prefix: str = "simplesim") -> None:
    """Runs the page."""
    async with AsyncClient() as client:
        workers = ["rcw"] if identity_prefix == "rcw" else []
        connecting = connect(client, robot_id, worker_names=workers, rcw_identity_prefix=identity_prefix, keep_session=True)
        async with connecting as session:
            await session.wait_until_ready(timeout_s=120)
            if identity_prefix == "simplesim":
                await session.invoke("reset")
            namespace = {"__name__": "__manual__", "client": client, "session": session, "robot_id": robot_id}
            for line, source in blocks(page):
                if "asyncio.run(" in source:
                    await run_program(source, robot_id)
                else:
                    code = compile(source, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
                    cell = eval(code, namespace)  # noqa: S307 - the manual's own code
                    if inspect.isawaitable(cell):
                        await cell
                print(f"{page.name}:{line} ran", flush=True)


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:]))
