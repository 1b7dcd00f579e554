"""9: version, paths and the snapshot."""

from __future__ import annotations

import json
from importlib.resources import files

import platform_robot_sdk
from platform_double import ROBOT, PlatformDouble


def test_9_rule_2_the_version_is_of_the_0_2_series() -> None:
    assert platform_robot_sdk.__version__.split(".")[:2] == ["0", "2"]


async def test_9_rule_1_paths_carry_the_version_prefix(platform: PlatformDouble) -> None:
    platform.answers(ROBOT)
    await platform.call("get", "robot-1")
    assert platform.request.url.path.startswith("/rcs/v1/")


def test_9_rule_4_the_library_ships_a_snapshot_of_the_openapi_description() -> None:
    description = json.loads(files(platform_robot_sdk).joinpath("openapi.json").read_text(encoding="utf-8"))
    assert description["openapi"].startswith("3.")
    assert "/v1/robots/{robot_id}/session" in description["paths"]


def test_every_public_name_is_there() -> None:
    for name in platform_robot_sdk.__all__:
        assert hasattr(platform_robot_sdk, name), name
