"""Wheel and source archive as a user gets them: checked with PyPI's rules, installed without extras, and run."""

from __future__ import annotations

import json
import subprocess
import sys
import tarfile
import threading
import venv
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from platform_double import API_KEY, ROBOT

LIBRARY = Path(__file__).resolve().parents[2]
PROGRAM = """
import asyncio, json, platform_robot_sdk
from platform_robot_sdk import AsyncClient, Client
from platform_robot_sdk.experimental import generate_room_key_url

with Client() as client:
    names = [robot.name for robot in client.robots.iter()]

async def main():
    async with AsyncClient() as client:
        return (await client.robots.list(limit=50)).robots[0].name

file, version = platform_robot_sdk.__file__, platform_robot_sdk.__version__
print(json.dumps({"version": version, "file": file, "sync": names, "async": asyncio.run(main())}))
"""


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    outcome = subprocess.run([str(part) for part in command], cwd=LIBRARY, env=env, capture_output=True, text=True, timeout=300)
    assert outcome.returncode == 0, outcome.stdout + outcome.stderr
    return outcome.stdout


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Returns the folder of the two files that a release uploads."""
    place = tmp_path_factory.mktemp("published")
    run(sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--target", "sdist", "--directory", place)
    return place


@pytest.fixture(scope="module")
def wheel(published: Path) -> Path:
    (built,) = published.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def empty_python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("empty")
    venv.create(place, symlinks=True)
    python = place / "bin" / "python"
    pins = LIBRARY / "requirements" / "constraints.txt"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--disable-pip-version-check", "-c", pins, wheel)
    return python


@pytest.fixture
def rcs_url() -> Iterator[str]:
    class Service(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            is_good = self.headers["authorization"] == f"Bearer {API_KEY}" and self.path.startswith("/rcs/v1/robots?limit=")
            body = json.dumps({"robots": [ROBOT], "next_id": None, "total": 1}).encode()
            self.send_response(200 if is_good else 400)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever).start()
    yield f"http://127.0.0.1:{server.server_port}/rcs"
    server.shutdown()
    server.server_close()


def test_the_wheel_holds_the_types_mark_the_snapshot_and_the_licence(wheel: Path) -> None:
    assert wheel.name == "platform_robot_sdk-0.2.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        metadata = archive.read("platform_robot_sdk-0.2.0.dist-info/METADATA").decode()
        snapshot = archive.read("platform_robot_sdk/openapi.json")
    assert {"platform_robot_sdk/py.typed", "platform_robot_sdk-0.2.0.dist-info/licenses/LICENSE"} <= names
    assert all(name.startswith("platform_robot_sdk") for name in names)
    assert snapshot == (LIBRARY / "../../docs/reference/openapi.library.json").read_bytes()
    assert "Requires-Python: >=3.11" in metadata
    assert "Provides-Extra: realtime" in metadata
    needed = {line.split()[1].split("<")[0].split(">")[0] for line in metadata.splitlines() if line.startswith("Requires-Dist")}
    assert needed == {"httpcore", "httpx", "pydantic", "livekit", "pyjwt[crypto]"}


def test_pypi_accepts_the_wheel_and_the_source_archive(published: Path) -> None:
    files = sorted(published.iterdir())
    assert [file.name for file in files] == ["platform_robot_sdk-0.2.0-py3-none-any.whl", "platform_robot_sdk-0.2.0.tar.gz"]
    said = run(sys.executable, "-m", "twine", "--no-color", "check", "--strict", *files)
    assert said.count("PASSED") == len(files)


def test_the_source_archive_makes_the_same_wheel(published: Path, wheel: Path, tmp_path: Path) -> None:
    (archive,) = published.glob("*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(tmp_path, filter="data")
    (source,) = tmp_path.iterdir()
    subprocess.run([sys.executable, "-m", "hatchling", "build", "--target", "wheel"], cwd=source, check=True, timeout=300)
    (rebuilt,) = (source / "dist").glob("*.whl")
    with zipfile.ZipFile(rebuilt) as again, zipfile.ZipFile(wheel) as first:
        assert {entry.filename: entry.CRC for entry in again.infolist()} == {
            entry.filename: entry.CRC for entry in first.infolist()
        }


def test_http_works_in_an_empty_environment_without_extras(empty_python: Path, rcs_url: str) -> None:
    reported = json.loads(
        run(empty_python, "-I", "-W", "error", "-c", PROGRAM, env={"PLATFORM_RCS_URL": rcs_url, "PLATFORM_API_KEY": API_KEY})
    )
    assert (reported["version"], reported["sync"], reported["async"]) == ("0.2.0", ["Ada"], "Ada")
    assert str(empty_python.parent.parent) in reported["file"]


def test_connect_without_the_extra_says_what_to_install_before_a_session_is_opened(empty_python: Path, rcs_url: str) -> None:
    program = (
        "import asyncio, platform_robot_sdk as sdk\n"
        "try: asyncio.run(sdk.connect(sdk.AsyncClient(), 'robot-1', worker_names=[]))\n"
        "except sdk.PlatformSDKError as error: print(error)\n"
    )
    said = run(empty_python, "-I", "-c", program, env={"PLATFORM_RCS_URL": rcs_url, "PLATFORM_API_KEY": API_KEY})
    # The service of this test would reject a session, because it only answers requests for robots.
    assert 'pip install "./clients/python[realtime]"' in said


def test_the_environment_is_without_extras(empty_python: Path) -> None:
    probe = "import importlib.util as u; print([u.find_spec(name) for name in ('livekit', 'jwt', 'tqdm')])"
    assert run(empty_python, "-I", "-c", probe).strip() == "[None, None, None]"


def test_a_users_type_checker_sees_the_types(empty_python: Path, tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "from platform_robot_sdk import Client\n"
        "client = Client(api_key='k')\n"
        "reveal_type(client.robots.get('r').created_at)\n"
        "client.robots.create(nmae='Ada', model='humanoid')\n"
    )
    outcome = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(empty_python), str(program)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert 'Revealed type is "datetime.datetime"' in outcome.stdout, outcome.stdout + outcome.stderr
    assert 'Unexpected keyword argument "nmae"' in outcome.stdout
    assert "py.typed" not in outcome.stdout
