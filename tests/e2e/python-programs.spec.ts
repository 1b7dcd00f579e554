/** All Python that a reader is shown runs as it is shown: the manual's blocks, the examples, the programs that the page writes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Locator } from '@playwright/test';
import { MANUAL_PAGES } from '../../scripts/docs/pages.ts';
import { NEWEST_LIVEKIT, pythonWith } from '../../scripts/ensure-python.ts';
import { generateRoomKeyUrl } from '../../src/client/index.ts';
import type { CodeFacts } from '../../src/viewer/ui/console/code/code-facts.ts';
import { pythonProgram } from '../../src/viewer/ui/console/code/python.ts';
import { killWorkers, runWorker } from '../worker/helpers/worker-process.ts';
import { expect, test } from './support/fixtures.ts';

const ROOT = join(import.meta.dirname, '../..');
const RUNNER = join(ROOT, 'tests/python/run_manual.py');
/** The pages whose Python blocks run in this order; `physical` pages drive the robot of the worker. */
const MANUAL: readonly { page: string; physical?: boolean }[] = [
  { page: 'README.md' },
  { page: 'docs/cameras.md' },
  { page: 'docs/agents.md' },
  { page: 'docs/operators.md' },
  { page: 'docs/physical-robot.md', physical: true },
  // Last, because it presses the emergency stop.
  { page: 'docs/libraries.md' },
];
/** Pages whose Python another test runs: `tests/client/tutorial.alone.test.ts`. */
const RUN_ELSEWHERE = ['docs/tutorial.md'];
const PYTHON_FENCE = /^```python$/gm;
const WITHIN_MS = 400_000;

test.afterAll(killWorkers);

test('the list of pages has every page of the manual with Python', () => {
  const shown = MANUAL_PAGES.map(({ file }) => file).filter((file) => readFileSync(join(ROOT, file), 'utf8').match(PYTHON_FENCE));
  expect(shown.toSorted()).toEqual([...MANUAL.map(({ page }) => page), ...RUN_ELSEWHERE].toSorted());
});

test('every Python block of the manual and every example runs beside a tab and a worker', async ({
  platform,
  openHidden,
  client,
  expectedProblems,
}) => {
  test.setTimeout(900_000);
  // The page comes back after each session that the manual ends, and the next one may end while it joins.
  expectedProblems.push(/404 .*\/rtc\/validate/);
  const env = {
    SIMPLESIM_DATA_DIR: dirname(platform.localFile),
    PLATFORM_RCS_URL: platform.rcsUrl,
    PLATFORM_API_KEY: platform.apiKey,
  };
  const manualPage = await openHidden(platform.roomKeyUrl);
  const worker = runWorker([], env);
  await worker.logged('registered');
  const { robot: physical } = await client.robots.create({ name: 'manual', model: 'simplesim-humanoid-1' });
  const inFolder = mkdtempSync(join(tmpdir(), 'simplesim-python-'));
  try {
    symlinkSync(dirname(platform.localFile), join(inFolder, '.simplesim'));
    const printed: Record<string, string> = {};
    for (const { page, physical: isPhysical = false } of MANUAL) {
      const file = join(ROOT, page);
      const robot = isPhysical ? [physical.id, 'rcw'] : [platform.robotId];
      const output = await python([RUNNER, file, ...robot], env, inFolder);
      const shown = readFileSync(file, 'utf8').match(PYTHON_FENCE) ?? [];
      expect(output.match(/^[\w-]+\.md:\d+ ran$/gm), page).toHaveLength(shown.length);
      printed[page] = output;
    }
    expect(printed['docs/libraries.md']).toMatch(/^done \{.*'held': 'cube_\d+'/m);
    expect(printed['docs/libraries.md']).toContain('failed DEADLINE_EXCEEDED');
    expect(printed['docs/libraries.md']).toContain('failed UNKNOWN_SKILL');
    expect(printed['docs/libraries.md']).toContain('failed CANCELLED');
    expect(printed['docs/libraries.md']).toMatch(/The robot has stopped, confirmed over (?:room|http)/);
    expect(printed['docs/cameras.md']).toMatch(/^cube_\d+ is 0\.0[0-4]\d m from the blob\ndone$/m);
    expect(printed['docs/operators.md']).toMatch(/^Drive: http.*\nWatch: http/m);
    expect(printed['docs/physical-robot.md']).toMatch(/^Sent \d+ poses$/m);
    expect(statSync(join(inFolder, 'pov.jpg')).size).toBeGreaterThan(1_000);
    // The examples begin as a reader does.
    await manualPage.close();
    await client.robots.createSession(platform.robotId, { workerNames: [] });
    const page = await openHidden(await generateRoomKeyUrl(client, platform.robotId, { viewerBaseUrl: platform.viewerUrl }));
    // The manual pressed the emergency stop, which no program releases.
    for (const name of ['Release…', 'Release the robot']) await pressHidden(page.getByRole('button', { name }));
    await expect(page.getByRole('alert').filter({ hasText: 'Emergency stop' })).toBeHidden();
    // This tab continues the world of the first one, with a cube in the hands.
    expect(await client.robots.sendSessionCommand(platform.robotId, 'reset', {})).toMatchObject({ status: 'done' });
    const tour = await python([join(ROOT, 'examples/python/tour.py')], env, inFolder);
    expect(tour).toMatch(/It holds cube_\d+, which is (red|green|blue|yellow) and belongs on pad_[B-E]\./);
    expect(tour).toContain('Sorted so far: 1 right.');
    expect(tour).toMatch(/On the way to pad_[B-E] the walk was cancelled: CANCELLED/);
    expect(tour).toContain('The tour has left the room.');
    expect(await python([join(ROOT, 'examples/python/sort.py'), '1'], env, inFolder)).toContain(
      'Sorted so far: 2 right, 0 wrong.',
    );
    const wave = await python([join(ROOT, 'examples/python/physical.py')], env, inFolder);
    expect(Number(/It drove (\S+) m\./.exec(wave)?.[1])).toBeGreaterThan(0.1);
    expect(wave).toMatch(/It waved with \d+ poses\./);

    for (const [facts, reported] of WRITTEN_BY_THE_PAGE) {
      const program = join(inFolder, 'call.py');
      const local = { rcsUrl: platform.rcsUrl, isLocal: true };
      writeFileSync(program, pythonProgram({ ...facts, robotId: platform.robotId, platform: local }));
      expect(await python([program], env, inFolder), facts.callable.id).toMatch(reported);
    }
    expect([...readFileSync(join(inFolder, 'topdown.jpg')).subarray(0, 3)]).toEqual([0xff, 0xd8, 0xff]);
  } finally {
    worker.child.kill('SIGTERM');
    await worker.exit;
    await client.robots.delete(physical.id);
    rmSync(inFolder, { recursive: true, force: true });
  }
});

/** Presses a button of a hidden tab, in which a click of the mouse waits in vain for a frame. */
async function pressHidden(button: Locator): Promise<void> {
  await expect(button).toBeEnabled();
  await button.evaluate((element: HTMLElement) => element.click());
}

const skill = (id: string) => ({ id, kind: 'skill' as const, title: id });
const read = (id: string) => ({ id, kind: 'read' as const, title: id });

/** A skill, a picture and each kind of read, with what the program prints. */
const WRITTEN_BY_THE_PAGE: readonly [Omit<CodeFacts, 'robotId' | 'platform'>, RegExp][] = [
  [{ callable: skill('set_head'), input: { yaw: 0.3 }, options: { deadline_s: 20 } }, /done/],
  [
    {
      callable: { id: 'runtime.cameras_capture', kind: 'picture', title: 'Take a picture' },
      input: { camera: 'topdown', width_px: 320, height_px: 180 },
      options: {},
    },
    /320/,
  ],
  [{ callable: read('runtime.state'), input: {}, options: {} }, /"entity_id": "robot"/],
  [{ callable: read('runtime.scene_state'), input: { kinds: ['pad'] }, options: {} }, /"pad_B"/],
  [{ callable: read('runtime.tools_list'), input: {}, options: {} }, /pick_entity/],
  [{ callable: read('runtime.manifest'), input: {}, options: {} }, /"profile": "simulator"/],
  [{ callable: read('runtime.action'), input: {}, options: {} }, /"set_head"/],
];

/** Returns the output of a program. @throws Error with all of it when it does not end with 0 */
function python(args: string[], env: Record<string, string>, cwd: string): Promise<string> {
  const program = pythonWith(NEWEST_LIVEKIT, () => {});
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: WITHIN_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(output) : reject(new Error(`${args[0]} ended with ${code}:\n${output}`))));
  });
}
