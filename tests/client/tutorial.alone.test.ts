/** The programs of the tutorial, run as they are printed, against a platform with a robot in its room. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { NEWEST_LIVEKIT, pythonWith } from '../../scripts/ensure-python.ts';
import type { PlatformSession } from '../../src/client/index.ts';
import { simulatorIdentity } from '../../src/protocol/wire/identity.ts';
import { layGround } from '../ground/ground.ts';
import { joinSimulatedRobot, type SimulatedRobot } from './helpers/simulated-robot.ts';

const ROOT = join(import.meta.dirname, '../..');
const TUTORIAL = readFileSync(join(ROOT, 'docs/tutorial.md'), 'utf8');
const SPEED = 6;

const ground = layGround({
  async prepare() {
    mkdirSync(clone);
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
    symlinkSync(ground.dataDir, join(clone, '.simplesim'));
    writeFileSync(join(clone, 'package.json'), '{"type":"module"}');
    const { livekit_url: url, participant_token: token } = await ground.client.robots.createParticipantToken(
      ground.platform.robotId,
      {
        participantIdentity: simulatorIdentity(ground.platform.robotId),
      },
    );
    robot = await joinSimulatedRobot({ url, token }, SPEED);
    witness = await ground.openSession(ground.platform.robotId, { keepSession: true });
  },
});
/** The folder of the repository as a reader has it: the packages, and the data folder of `npm start`. */
const clone = join(ground.root, 'clone');
let robot: SimulatedRobot;
let witness: PlatformSession;

afterAll(() => robot.leave());

/** Returns the program that the page prints under this file name, unchanged. The name is the comment in its first line. */
function printed(language: string, file: string): string {
  const fence = new RegExp(`^\`\`\`${language}\\n((?://|#) ${file.replace('.', '\\.')}\\n[\\s\\S]*?)^\`\`\`$`, 'm');
  const [, program] = fence.exec(TUTORIAL) ?? [];
  if (program === undefined) throw new Error(`The tutorial has no ${language} program that begins with the comment ${file}.`);
  return program;
}

/** Starts the printed program in the folder of the repository. */
function start(language: string, file: string, [program, args]: readonly [string, readonly string[]]) {
  writeFileSync(join(clone, file), printed(language, file));
  // A reader's terminal does not set NODE_ENV, as Vitest does: LiveKit's library chooses its log level by it.
  const { NODE_ENV: _env, ...env } = process.env;
  return spawn(program, args, { cwd: clone, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Resolves when the program has printed this, or has ended. */
function heard(program: ChildProcess, text: RegExp): Promise<void> {
  let said = '';
  return new Promise((resolve) => {
    program.once('close', () => resolve());
    program.stdout?.on('data', (chunk) => {
      said += chunk;
      if (text.test(said)) resolve();
    });
  });
}

/** Returns the output of a program that exits with 0. Rejects with the output for any other exit code. */
function ended(program: ChildProcess): Promise<string> {
  let said = '';
  for (const stream of [program.stdout, program.stderr]) stream?.on('data', (chunk) => (said += chunk));
  return new Promise((resolve, reject) => {
    program.once('error', reject);
    program.once('close', (code) => (code === 0 ? resolve(said) : reject(new Error(`ended with ${code}: ${said}`))));
  });
}

describe.each([
  {
    language: 'ts',
    file: 'sort.ts',
    command: (): readonly [string, readonly string[]] => [
      process.execPath,
      ['--import', pathToFileURL(join(ROOT, 'node_modules/tsx/dist/loader.mjs')).href, 'sort.ts'],
    ],
  },
  {
    language: 'python',
    file: 'sort.py',
    command: (): readonly [string, readonly string[]] => [pythonWith(NEWEST_LIVEKIT, () => {}), ['sort.py']],
  },
])('the tutorial in $language', ({ language, file, command }) => {
  it('sorts a cube of each waiting colour, and recovers from BUSY and OUT_OF_REACH', async () => {
    // On a fresh machine, this installs Python's packages, for longer than the walk may last.
    const program = command();
    await witness.invoke('reset', {});
    // Another client makes the robot walk, slowly, until the program has met BUSY.
    await witness.invoke('set_sim_speed', { speed: 0.1 });
    const walk = witness.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_D' } });
    const running = start(language, file, program);
    const faster = heard(running, /BUSY$/m).then(() => witness.invoke('set_sim_speed', { speed: SPEED }));
    const said = await ended(running);
    await Promise.all([faster, walk]);
    expect(said).toMatch(/^pick_entity cube_\d+: BUSY$/m);
    expect(said).toMatch(/^pad_A: source, any colour$/m);
    expect(said).toMatch(/^pick_entity cube_\d+: OUT_OF_REACH$/m);
    expect(said).toMatch(/^place_entity pad_\w: OUT_OF_REACH$/m);
    // One line for each of the four pads. The row of seed 1 has three colours, and the belt may bring the fourth meanwhile.
    const sorted = said.match(/^cube_\d+ is (\w+) and was put on pad_\w\.$/gm) ?? [];
    const missing = said.match(/^No \w+ cube is waiting\.$/gm) ?? [];
    expect(sorted.length, said).toBeGreaterThanOrEqual(3);
    expect(sorted.length + missing.length, said).toBe(4);
    const { robot: state } = await witness.state.get('robot_status');
    expect(state.extra.sort_benchmark).toMatchObject({ correct_count: sorted.length, wrong_count: 0 });
    expect(state.held_entity_ids).toEqual([]);
  }, 300_000);

  it('first places the cube that the program of the README left in the hands', async () => {
    await witness.invoke('reset', {});
    await witness.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_A' } });
    const picked = await witness.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube' } });
    const said = await ended(start(language, file, command()));
    expect(said).toContain(`The robot holds ${picked.result?.held} from before.`);
    const sorted = said.match(/^cube_\d+ is (\w+) and was put on pad_\w\.$/gm) ?? [];
    const { robot: state } = await witness.state.get('robot_status');
    expect(state.extra.sort_benchmark).toMatchObject({ correct_count: 1 + sorted.length, wrong_count: 0 });
  }, 300_000);
});
