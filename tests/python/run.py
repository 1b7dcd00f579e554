"""Runs wire_client.py with each version of LiveKit's Python SDK that the platform must serve.

    python3 tests/python/run.py [path of local.json]
    python3 tests/python/run.py --flow [path of local.json]
    python3 tests/python/run.py --flow-signed [path of local.json]

The last two run examples/python/flow.py and flow_signed.py, with the newest version alone, and pass on what they print.

Each version gets a virtual environment of its own under .cache/python, made at the first run. Without an argument the connection is
read from .simplesim/local.json, unless PLATFORM_RCS_URL, PLATFORM_API_KEY and ROBOT_ID are set. The last line counts over all
versions; the exit code is 1 when a check failed or a version could not be run. A runtime must be in the robot's room, or come.
"""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

VERSIONS = ("0.22.0", "1.2.1")
HTTPX = "0.28.1"
# What signs; any library of JOSE would do.
PYJWT = "2.15.1"
CRYPTOGRAPHY = "50.0.2"
FLOWS = {"--flow": "flow.py", "--flow-signed": "flow_signed.py"}
HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
# For one version, calls that wait for nobody; far more than a healthy run takes.
RUN_WITHIN_S = 300


def python_with(version):
    """Path of a Python that has this version of the SDK."""
    place = PROJECT / ".cache" / "python" / version
    python = place / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    ready = place / f"ready-httpx-{HTTPX}-pyjwt-{PYJWT}"
    if not ready.exists():
        print(f"livekit {version}: making {place.relative_to(PROJECT)}", file=sys.stderr, flush=True)
        venv.create(place, with_pip=True, clear=True)
        wanted = [f"livekit=={version}", f"httpx=={HTTPX}", f"pyjwt=={PYJWT}", f"cryptography=={CRYPTOGRAPHY}"]
        subprocess.run([python, "-m", "pip", "install", "--quiet", *wanted], check=True)
        ready.touch()
    return python


def run(version, arguments):
    """Returns (passed, failed) of one version; what it prints is passed on."""
    try:
        python = python_with(version)
    except (subprocess.CalledProcessError, OSError) as error:
        print(json.dumps({"check": f"livekit {version} can be installed", "ok": False, "problem": str(error)}), flush=True)
        return 0, 1
    command = [python, HERE / "wire_client.py", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        counts = None
        try:
            output, _ = client.communicate(timeout=RUN_WITHIN_S)
        except subprocess.TimeoutExpired:
            client.kill()
            output, _ = client.communicate()
        for line in output.splitlines():
            facts = read_json(line)
            if facts is not None and set(facts) == {"passed", "failed"}:
                counts = facts["passed"], facts["failed"]
            elif facts is not None:
                print(json.dumps({"livekit": version, **facts}), flush=True)
    if counts is None:
        print(json.dumps({"livekit": version, "check": "the client ran to its end", "ok": False, "exit": client.returncode}), flush=True)
        return 0, 1
    return counts


def read_json(line):
    try:
        value = json.loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def main():
    flow = FLOWS.get(sys.argv[1] if len(sys.argv) > 1 else "")
    if flow is not None:
        arguments = sys.argv[2:] or [str(PROJECT / ".simplesim" / "local.json")]
        return subprocess.run([python_with(VERSIONS[-1]), PROJECT / "examples" / "python" / flow, *arguments]).returncode
    arguments = sys.argv[1:]
    if not arguments and "PLATFORM_RCS_URL" not in os.environ:
        arguments = [str(PROJECT / ".simplesim" / "local.json")]
    counts = [run(version, arguments) for version in VERSIONS]
    passed, failed = (sum(column) for column in zip(*counts))
    print(json.dumps({"passed": passed, "failed": failed}), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
