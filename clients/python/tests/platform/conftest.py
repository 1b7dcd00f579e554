"""Tests against a real platform, with a runtime in the robot's room. `PLATFORM_TEST_CONNECTION` names a JSON file with its
address.

Without it no test here is collected. tests/e2e/python-library.spec.ts and tests/worker/python-library.alone.test.ts open
the robot and set it.
"""

import os

from platform_fixtures import *  # noqa: F403 - pytest finds fixtures by their names in this module

collect_ignore_glob = [] if os.environ.get("PLATFORM_TEST_CONNECTION") else ["test_*.py"]
