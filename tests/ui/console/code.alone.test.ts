import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { NEWEST_LIVEKIT, PYTHON_LIBRARY_DIR, pythonWith } from '../../../scripts/ensure-python.ts';
import { RCW_SKILLS, type RcwSkillName, rcwSkillDescriptor } from '../../../src/protocol/wire/rcw-skills.ts';
import { SKILL_NAMES } from '../../../src/protocol/wire/skills.ts';
import { placeCameras } from '../../../src/viewer/ui/common/place-cameras.ts';
import { skillCallable, standingCallables } from '../../../src/viewer/ui/console/callables.ts';
import { type CodeFacts, indented, platformOf } from '../../../src/viewer/ui/console/code/code-facts.ts';
import { literal as pythonLiteral, pythonProgram } from '../../../src/viewer/ui/console/code/python.ts';
import { literal, typescriptProgram } from '../../../src/viewer/ui/console/code/typescript.ts';
import { SAMPLE_LAYOUT } from '../../stage/helpers/sample-world.ts';
import { callableOf, TAKEN } from './skill-inputs.ts';

const STANDING = standingCallables(placeCameras(SAMPLE_LAYOUT));

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const dir = mkdtempSync(join(tmpdir(), 'console-code-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const python = pythonWith(NEWEST_LIVEKIT, () => {});

const READ_INPUTS: Record<string, unknown> = {
  'runtime.scene_state': { kinds: ['cube'], entity_ids: ['cube_0'] },
  'runtime.cameras_capture': { camera: 'topdown', width_px: 640, height_px: 360 },
  'runtime.action': { action_id: 'it\'s "mine"' },
  'runtime.cancel': { options: { action_id: 'cancel-active' } },
};

const RCW_CALLS: readonly [RcwSkillName, object][] = [
  ['set_velocity', { vx: 0.2, vyaw: -0.5 }],
  ['stop', {}],
  ['get_state', {}],
  ['set_upper_body', { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] }],
];

/** Every call that the console can make, with and without options and robot. */
const LOCAL = { rcsUrl: 'http://localhost:8095/rcs', isLocal: true };
const ELSEWHERE = { rcsUrl: 'https://robots.example/rcs', isLocal: false };

const CALLS: readonly CodeFacts[] = [
  ...SKILL_NAMES.flatMap((name) =>
    TAKEN[name].map((input, i) => ({
      callable: callableOf(name),
      input,
      options: i === 0 ? {} : { action_id: "it's mine", deadline_s: 7.5 },
      robotId: 'robot_1',
      platform: i === 0 ? LOCAL : ELSEWHERE,
    })),
  ),
  ...RCW_CALLS.map(([name, input]) => ({
    callable: skillCallable(rcwSkillDescriptor(name), RCW_SKILLS[name]),
    input,
    options: {},
    robotId: 'robot_1',
    platform: LOCAL,
    profile: 'worker' as const,
  })),
  ...STANDING.map((callable) => ({
    callable,
    input: READ_INPUTS[callable.id] ?? {},
    options: {},
    robotId: 'robot_1',
    platform: LOCAL,
  })),
];

test('every program in TypeScript compiles against the client library', async () => {
  CALLS.forEach((call, i) => {
    writeFileSync(join(dir, `call-${i}.mts`), typescriptProgram(call));
  });
  const compilerOptions = {
    composite: false,
    incremental: false,
    declaration: false,
    emitDeclarationOnly: false,
    noEmit: true,
    lib: ['es2023', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(ROOT, 'node_modules/@types')],
    // The folder of the programs is outside of the clone; within the clone the package is found by its name.
    paths: { 'platform-robot-sdk': [join(ROOT, 'node_modules/platform-robot-sdk')] },
  };
  writeFileSync(
    join(dir, 'tsconfig.json'),
    JSON.stringify({ extends: join(ROOT, 'tsconfig.base.json'), compilerOptions, include: ['*.mts'] }),
  );
  const problems = await run('node', [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', dir]).then(
    () => null,
    (error: Error & { stdout: string }) => error.stdout || error.message,
  );
  expect(problems).toBeNull();
});

test('every program in Python passes the strict type check against the client library', async () => {
  const files = CALLS.map((call, i) => {
    const file = join(dir, `call_${i}.py`);
    writeFileSync(file, pythonProgram(call));
    return file;
  });
  const problems = await run(python, ['-m', 'mypy', '--strict', '--cache-dir', join(ROOT, '.cache/mypy-programs'), ...files], {
    cwd: dir,
    env: { ...process.env, MYPYPATH: join(PYTHON_LIBRARY_DIR, 'src') },
  }).then(
    () => null,
    (error: Error & { stdout: string }) => error.stdout || error.message,
  );
  expect(problems).toBeNull();
});

test('a Python program sends the input of the form', async () => {
  const input = TAKEN.go_to[1];
  const program = pythonProgram({
    callable: callableOf('go_to'),
    input,
    options: { deadline_s: 30 },
    robotId: 'robot_1',
    platform: LOCAL,
  });
  const call = /session\.invoke\(([\s\S]*?)\)\n {12}print/.exec(program)?.[1] ?? '';
  const asDict = `(lambda *sent, **options: [*sent, options])(${call})`;
  const { stdout } = await run(python, ['-c', `import json\nprint(json.dumps(${asDict}))`]);
  expect(JSON.parse(stdout)).toEqual(['go_to', input, { deadline_s: 30 }]);
});

test('the programs connect to the address that served the page, and recognise a local platform by it', () => {
  const at = (address: string) => platformOf(new URL(address));
  expect(at('http://localhost:8095/?try=1')).toEqual(LOCAL);
  expect(at('http://127.0.0.1:8080/')).toEqual({ rcsUrl: 'http://127.0.0.1:8080/rcs', isLocal: true });
  expect(at('http://[::1]:8080/').isLocal).toBe(true);
  expect(at('https://robots.example/')).toEqual(ELSEWHERE);
  expect(at('https://robots.example/sim/?try=1').rcsUrl).toBe('https://robots.example/sim/rcs');
  expect(at('https://localhost.example/').isLocal).toBe(false);
  const call = { callable: callableOf('go_to'), input: TAKEN.go_to[0], options: {}, robotId: 'robot_1' };
  for (const program of [typescriptProgram, pythonProgram]) {
    expect(program({ ...call, platform: LOCAL })).toContain('http://localhost:8095/rcs');
    expect(program({ ...call, platform: ELSEWHERE })).not.toContain('local.json');
  }
});

describe('literals', () => {
  const odd = { text: 'it\'s a "line"\n\\end \u2028 ä', list: [true, null, 1.5e-7], 'a b': {} };

  test('literals of TypeScript have the value, short or long', () => {
    for (const value of [odd, { ...odd, long: 'x'.repeat(90) }]) {
      expect(new Function(`return (${literal(value)})`)()).toEqual(value);
    }
  });

  test('literals of Python have the value, short or long', async () => {
    for (const value of [odd, { ...odd, long: 'x'.repeat(90) }]) {
      const { stdout } = await run(python, ['-c', `import json\nprint(json.dumps(${indented(pythonLiteral(value), 4).trim()}))`]);
      expect(JSON.parse(stdout)).toEqual(value);
    }
  });
});
