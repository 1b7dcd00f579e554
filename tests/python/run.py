"""Runs wire_client.py with each version of LiveKit's Python SDK that the platform must serve.

    python3 tests/python/run.py [path of local.json]
    python3 tests/python/run.py --flow [path of local.json]
    python3 tests/python/run.py --flow-signed [path of local.json]

The last two run examples/python/wire/flow.py and flow_signed.py with the newest version only, and pass on their output.

Each version has its own virtual environment, made at the first run (scripts/python_environment.py). Without an argument the
connection is read from .simplesim/local.json, unless PLATFORM_RCS_URL, PLATFORM_API_KEY and ROBOT_ID are set. The last line
contains the counts of all versions. The exit code is 1 if a check failed or a version could not be run. A runtime must be in
the robot's room, or join it during the run.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

FLOWS = {"--flow": "flow.py", "--flow-signed": "flow_signed.py"}
HERE = Path(__file__).resolve().parent
PROJECT = HERE.parent.parent
sys.path.insert(0, str(PROJECT / "scripts"))

from python_environment import LIVEKIT_VERSIONS, NEWEST, python_with  # noqa: E402

# The time limit of one version, whose calls need no person; far longer than a healthy run takes.
RUN_WITHIN_S = 300


def run(version, arguments):
    """Returns (passed, failed) of one version, and passes on its output."""
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
        return subprocess.run([python_with(NEWEST), PROJECT / "examples" / "python" / "wire" / flow, *arguments]).returncode
    arguments = sys.argv[1:]
    if not arguments and "PLATFORM_RCS_URL" not in os.environ:
        arguments = [str(PROJECT / ".simplesim" / "local.json")]
    counts = [run(version, arguments) for version in LIVEKIT_VERSIONS]
    passed, failed = (sum(column) for column in zip(*counts))
    print(json.dumps({"passed": passed, "failed": failed}), flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
