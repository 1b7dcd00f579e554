/** The Python library against the real platform, beside a tab that is the robot, with the oldest and the newest LiveKit. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { LIVEKIT_VERSIONS, PYTHON_LIBRARY_DIR, pythonWith } from '../../scripts/ensure-python.ts';
import { runPytest, runScript } from '../python/library.ts';
import { expect, test } from './support/fixtures.ts';

const PROGRAMS = join(PYTHON_LIBRARY_DIR, 'tests/platform/programs');

for (const version of LIVEKIT_VERSIONS) {
  test(`the Python library with LiveKit ${version} follows the specification`, async ({ robot, platform, openHidden }, info) => {
    test.setTimeout(900_000);
    await openHidden(await robot.keyUrl());
    const { passed, failed, output } = await runPytest(version, ['test_simulator.py', 'test_sessions.py'], {
      connection: { rcs_url: platform.rcsUrl, api_key: platform.apiKey, robot_id: robot.id },
      workDir: info.outputDir,
    });
    info.annotations.push({ type: 'Python tests', description: `${passed} passed` });
    expect(failed, output).toBe(0);
    expect(passed).toBeGreaterThanOrEqual(50);
  });
}

// As people write them: each makes a robot of its own, prints its viewer's link, and clears all away.
const ENDS = [
  [
    'agent_loop.py',
    /^(waiting: RcwRuntimeError\n)*open\n(waiting: RcwRuntimeError\n)*(step \d+: \w+\n)*(0\.\d\d|1\.0\d|1\.10) m from pad_E after \d+ steps\n$/,
  ],
  [
    'pick_and_sort.py',
    /^open\n(too far: \d\.\d\d of 1\.2\n)+placed cube_\d+ \(\w+\) on pad_\w\n(too far: \d\.\d\d of 1\.2\n)*placed cube_\d+ \(\w+\) on pad_\w\ncorrect 2, wrong 0\n$/,
  ],
  [
    'tool_controller.py',
    /^open\ngo_to takes target\nstatus ready, holds \[\]\n7 cubes\npicture ffd8ff\nrefused INVALID_INPUT\ncancelled CANCELLED, the same action True\nlate TIMEOUT\nagain ACTION_NOT_FOUND\n$/,
  ],
] as const;

for (const [index, [program, printed]] of ENDS.entries()) {
  // The two versions take turns.
  const version = LIVEKIT_VERSIONS[index % LIVEKIT_VERSIONS.length] ?? LIVEKIT_VERSIONS[0];
  test(`a program as people write them runs to its end: ${program}, with LiveKit ${version}`, async ({
    platform,
    openHidden,
  }) => {
    test.setTimeout(600_000);
    const pages: Promise<Page>[] = [];
    const { output, exitCode } = await runScript(
      pythonWith(version, () => {}),
      [join(PROGRAMS, program), platform.localFile],
      (line) => {
        const link = /^open (http\S+)/.exec(line)?.[1];
        if (link) pages.push(openHidden(link));
      },
    );
    // Without what the link holds.
    expect(output.replace(/^open .*/m, 'open')).toMatch(printed);
    expect(exitCode).toBe(0);
    const [page] = await Promise.all(pages);
    if (!page) throw new Error('no link was printed');
    await expect(page.getByText('The session was closed').first()).toBeVisible();
  });
}
