"""The texts of the service's answers."""

from __future__ import annotations

from platform_double import GRANT, PARTICIPANT, ROBOT, SESSION
from platform_robot_sdk.models import ControlGrant, CreatedRobot, ParticipantToken, Robot, RobotPage, Session


def test_each_answer_reads_as_one_line_of_facts_without_secrets() -> None:
    robot = Robot.model_validate(ROBOT)
    page = RobotPage(robots=[robot], next_id="robot-1", total=7)
    assert str(robot) == repr(robot) == "Robot(robot-1 'Ada', virtual humanoid)"
    assert str(CreatedRobot(robot=robot, pin_code="4711")) == f"CreatedRobot({robot}, its PIN is in pin_code)"
    assert str(page) == f"RobotPage(1 of 7 robots, next_id=robot-1: {robot})"
    assert len(repr(RobotPage(robots=[robot] * 100, total=100))) < 1_000
    assert str(Session.model_validate(SESSION)) == (
        "Session(room-1 at ws://sfu.test:7880, opened now: "
        "RoomMetadata(robot-1 active since 2026-01-02T03:04:05.678Z, needs 1 simplesim:robot-1))"
    )
    assert str(ParticipantToken.model_validate(PARTICIPANT)) == (
        "ParticipantToken(simplesim:robot-1 in room-1 until 2026-01-02T07:04:05.678000+00:00)"
    )
    assert str(ControlGrant.model_validate(GRANT)) == (
        "ControlGrant(grant-1 for robot-1 in room-1 until 2026-01-02T04:04:05.678000+00:00)"
    )
