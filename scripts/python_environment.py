"""Creates the virtual environments for Python in this project, one for each supported version of LiveKit's SDK.

    python3 scripts/python_environment.py 1.2.1      prints the path of its Python

They are under .cache/python, contain the packages of clients/python/requirements, and import the library from its sources. If the
requirements change, an environment is created again. This script needs only Python's standard library, so any Python from 3.11 can
run it.
"""

import hashlib
import json
import os
import subprocess
import sys
import venv
from pathlib import Path

PYTHON_AT_LEAST = (3, 11)

PROJECT = Path(__file__).resolve().parent.parent
LIBRARY = PROJECT / "clients" / "python"
REQUIREMENTS = LIBRARY / "requirements"
# The oldest and the newest version with which the library is tested. The environment of the newest also checks the code.
LIVEKIT_VERSIONS = json.loads((REQUIREMENTS / "livekit.json").read_text(encoding="utf-8"))
NEWEST = LIVEKIT_VERSIONS[-1]


def python_with(livekit_version: str) -> Path:
    """Returns the path of a Python with this version of the SDK; creates its environment if it is missing or outdated."""
    if sys.version_info < PYTHON_AT_LEAST:
        raise SystemExit(f"Python {'.'.join(map(str, PYTHON_AT_LEAST))} or newer is needed; this is {sys.version.split()[0]}.")
    names = ["tests.txt", "checks.txt"] if livekit_version == NEWEST else ["tests.txt"]
    place = PROJECT / ".cache" / "python" / livekit_version
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = place / f"ready-{_mark(livekit_version, names)}"
    if not ready.exists():
        print(f"livekit {livekit_version}: making {place.relative_to(PROJECT)}", file=sys.stderr, flush=True)
        venv.create(place, with_pip=True, clear=True)
        lists = [argument for name in names for argument in ("-r", str(REQUIREMENTS / name))]
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run(
            [*install, *lists, "-c", str(REQUIREMENTS / "constraints.txt"), f"livekit=={livekit_version}"], check=True, stdout=sys.stderr
        )
        site_packages = subprocess.run(
            [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], check=True, capture_output=True, text=True
        ).stdout.strip()
        Path(site_packages, "platform-robot-sdk.pth").write_text(f"{LIBRARY / 'src'}\n", encoding="utf-8")
        ready.touch()
    return python


def _mark(livekit_version: str, names: list[str]) -> str:
    """Returns a hash of everything that determines an environment."""
    digest = hashlib.sha256(f"{livekit_version} {sys.version} {LIBRARY}".encode())
    for name in [*names, "constraints.txt"]:
        digest.update((REQUIREMENTS / name).read_bytes())
    return digest.hexdigest()[:16]


if __name__ == "__main__":
    print(python_with(sys.argv[1] if len(sys.argv) > 1 else NEWEST))
