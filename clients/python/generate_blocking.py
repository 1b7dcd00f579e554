"""Generates `platform_robot_sdk/_sync`, which blocks, from `platform_robot_sdk/_async`, which awaits.

    npm run python -- generate

`tests/test_generated.py` fails if a generated file differs from its source.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import token
import tokenize
from pathlib import Path

LIBRARY = Path(__file__).resolve().parent
SOURCES = LIBRARY / "src/platform_robot_sdk/_async"
GENERATED = LIBRARY / "src/platform_robot_sdk/_sync"
HEADER = "# Generated from `_async/{name}` by `npm run python -- generate`: change that file instead.\n"

RENAMED = {
    "AsyncApiKeys": "ApiKeys",
    "AsyncClient": "Client",
    "AsyncIterator": "Iterator",
    "AsyncRobots": "Robots",
    "AsyncSender": "SyncSender",
    "refuse_blocking": "refuse_awaiting",
}
_PUBLIC_FUNCTION = re.compile(r"^async def ([a-z]\w*)", re.MULTILINE)
_OF_ASYNCIO = re.compile(r"\b(await|async|asyncio|event loop)", re.IGNORECASE)


def blocking(source: str, name: str) -> str:
    """Returns the blocking form of a module: without `async` and `await`, and with the names of the blocking half.

    Raises ValueError for a text or a comment that is true only of asyncio.
    """
    renamed = RENAMED | {function: f"{function}_sync" for function in _PUBLIC_FUNCTION.findall(source)}
    words = re.compile(rf"\b({'|'.join(map(re.escape, renamed))})\b")
    lines = source.splitlines(keepends=True)
    # From the end, so that the positions of the tokens before an edit stay valid.
    for each in reversed(list(tokenize.generate_tokens(io.StringIO(source).readline))):
        (first, start), (last, end) = each.start, each.end
        if each.type == token.NAME and each.string in ("async", "await"):
            lines[first - 1] = lines[first - 1][:start] + lines[first - 1][end:].removeprefix(" ")
        elif each.type == token.NAME and each.string in renamed:
            lines[first - 1] = lines[first - 1][:start] + renamed[each.string] + lines[first - 1][end:]
        elif each.type not in (token.NAME, token.OP, token.NEWLINE, token.INDENT, token.DEDENT) and each.string.strip():
            text = words.sub(lambda found: renamed[found[0]], each.string)
            if _OF_ASYNCIO.search(text):
                raise ValueError(f"{name}:{first}: this text is not true of the blocking half: {text}")
            lines[first - 1 : last] = [lines[first - 1][:start] + text + lines[last - 1][end:]]
    return HEADER.format(name=name) + "".join(lines)


def formatted(code: str) -> str:
    """Returns the code as the lint and the format of the library demand."""
    # UP028: a loop that only yields becomes `yield from`.
    for command in (["check", "--select", "I,UP028", "--fix", "--unsafe-fixes", "--quiet"], ["format", "--quiet"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--stdin-filename", str(GENERATED / "module.py"), "-"]
        code = subprocess.run(ruff, cwd=LIBRARY, input=code, capture_output=True, text=True, check=True).stdout
    return code


def generate() -> dict[Path, str]:
    """Returns the content of each generated file."""
    sources = sorted(path for path in SOURCES.glob("*.py") if path.name != "__init__.py")
    return {GENERATED / source.name: formatted(blocking(source.read_text(encoding="utf-8"), source.name)) for source in sources}


if __name__ == "__main__":
    for path, code in generate().items():
        path.write_text(code, encoding="utf-8")
