import RAPIER from '@dimforge/rapier3d-compat';
import { beforeAll, expect, test } from 'vitest';
import { PROOF_MAX_BYTES, type ProofFile } from '../../src/protocol/files/proof-file.ts';
import type { TaskFile } from '../../src/protocol/files/task-file.ts';
import { SKILLS_NOT_IN_TASKS } from '../../src/protocol/texts/task-texts.ts';
import { Scenes } from '../../src/simulation/scene.ts';
import { play } from '../../src/tasks/agent-play.ts';
import { plannerAgent } from '../../src/tasks/planner-agent.ts';
import { proofText, seal } from '../../src/tasks/proof-text.ts';
import { worldSeed } from '../../src/tasks/run-seed.ts';
import { verifyProof } from '../../src/tasks/verify-proof.ts';
import { seeded } from '../oracle/chance.ts';
import { runOf, taskOf, tasksOnDisk } from './task-files.ts';

/** A run that reached its goal, as others would forge it. */
let proof: ProofFile;
let text: string;

function taskNamed(name: string): TaskFile {
  const found = tasksOnDisk.find((one) => one.name === name);
  if (!found) throw new Error('the task is not there');
  return taskOf(found);
}

async function reported(seed: number): Promise<ProofFile> {
  const task = taskNamed('hall-yellow-to-mark');
  const run = await runOf(task, { seed });
  play(run, plannerAgent(task));
  const proved = run.proof();
  run.runtime.dispose();
  if (!proved.ok) throw new Error(proved.reason);
  return proved.proof;
}

beforeAll(async () => {
  proof = await reported(1);
  text = proofText(proof);
});

/** The verification of a changed proof whose forger knows how to make a checksum. */
function forged(change: (proof: ProofFile) => void) {
  const { sha256: _, ...copy } = structuredClone(proof);
  change(copy as ProofFile);
  return verifyProof(RAPIER, proofText(seal(copy)));
}

test('the same run twice has the same proof, byte for byte', async () => {
  expect(proof.verdict?.outcome).toBe('passed');
  expect(proofText(await reported(1))).toBe(text);
  expect(proofText(await reported(2))).not.toBe(text);
});

test('a thousand changed bytes are detected', () => {
  const random = seeded(7);
  const bytes = new TextEncoder().encode(text);
  for (let round = 0; round < 1_000; round += 1) {
    const at = Math.floor(random() * bytes.length);
    const changed = bytes.slice();
    changed[at] = ((changed[at] ?? 0) + 1 + Math.floor(random() * 255)) % 256;
    expect(verifyProof(RAPIER, new TextDecoder().decode(changed)).is, `byte ${at}`).toBe('damaged');
  }
  for (let round = 0; round < 50; round += 1)
    expect(verifyProof(RAPIER, text.slice(0, Math.floor(random() * text.length))).is).toBe('damaged');
});

test('another verdict, other hashes, other inputs and another seed are false', () => {
  expect(forged(() => {})).toMatchObject({ is: 'true' });
  expect(forged(({ verdict }) => verdict && Object.assign(verdict, { outcome: 'failed', reason: 'time_over' })).is).toBe('false');
  expect(forged(({ verdict }) => verdict && Object.assign(verdict, { calls: verdict.calls - 1 })).is).toBe('false');
  expect(forged((one) => Object.assign(one, { end_hash: '0123456789abcdef' }))).toMatchObject({
    is: 'false',
    atStep: proof.steps,
  });
  const other = forged(({ digests }) => {
    digests.hex = `${digests.hex.slice(0, 60)}ffffff${digests.hex.slice(66)}`;
  });
  expect(other).toMatchObject({ is: 'false', atStep: 11 * 30, sameUntilStep: 10 * 30 });
  expect(forged((one) => Object.assign(one, { seed: 2 })).is).toBe('false');
  expect(forged((one) => Object.assign(one, { robot: 'picker' })).is).toBe('false');
  expect(forged(({ inputs }) => inputs.splice(1, 1)).is).toBe('false');
  expect(forged(({ inputs }) => inputs.splice(0, inputs.length)).is).toBe('false');
  expect(forged((one) => Object.assign(one, { steps: proof.steps - 200 })).is).toBe('false');
  expect(forged((one) => Object.assign(one, { steps: proof.steps + 200 })).is).toBe('false');
  expect(forged(({ inputs }) => void inputs.reverse()).is).toBe('false');
  const earlier = forged(({ inputs }) => {
    const last = inputs.at(-1);
    if (last) last[0] -= 1;
  });
  expect(earlier.is).toBe('false');
});

test('the report names each difference between the claimed verdict and the real one, with both values', () => {
  const credited = forged(({ verdict }) => verdict && Object.assign(verdict, { credit: 0.5, simulated_s: 1 }));
  expect(credited).toMatchObject({
    is: 'false',
    what: expect.stringMatching(
      /^the verdict has other credit \(1 here, 0\.5 in the proof\), simulated_s \([\d.]+ here, 1 in the proof\); the world was the same/,
    ),
  });
  const part = forged(({ verdict }) => verdict?.predicates[0] && Object.assign(verdict.predicates[0], { since_step: 3 }));
  expect(part).toMatchObject({ what: expect.stringMatching(/^the verdict has other predicates; the world was the same/) });
});

test('content that no run of a task can have is false, whatever its hash', () => {
  const resets = forged(({ calls, inputs }) => {
    calls.push({ method: 'runtime.tools_call', caller: 0, payload: { name: 'reset', input: { seed: 9 } } });
    inputs.unshift([0, 'call', calls.length - 1]);
  });
  expect(resets).toMatchObject({ is: 'false', atStep: 0 });
  const strange = (change: (one: ProofFile) => void) => forged(change);
  expect(strange(({ inputs }) => inputs.push([proof.steps, 'call', 99]))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange(({ inputs }) => inputs.push([proof.steps, 'stop', 99]))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange(({ calls }) => Object.assign(calls[0] ?? {}, { caller: 99 }))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange((one) => Object.assign(one, { scene: { ...one.scene, id: 'nowhere' } })).is).toBe('other_version');
  expect(strange((one) => Object.assign(one, { scene: { ...one.scene, sha256: 'a'.repeat(64) } })).is).toBe('other_version');
  expect(strange((one) => Object.assign(one, { sim_protocol: 1 })).is).toBe('other_version');
  expect(strange((one) => Object.assign(one, { engine: '0.0.1' })).is).toBe('other_version');
  expect(strange(({ task }) => task && Object.assign(task, { scene: 'warehouse' }))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange(({ task }) => task && Object.assign(task, { robots: ['picker'] }))).toMatchObject({ is: 'false', atStep: 0 });
  expect(strange((one) => delete one.task).is).toBe('false');
  expect(
    strange((one) => Object.assign(one, { profile: 'worker', robot: 'picker', task: undefined, verdict: undefined })).is,
  ).toBe('false');
});

/** A proof with this many calls of one kind before the first step. */
const withCalls = (
  count: number,
  call: Omit<ProofFile['calls'][number], 'caller'>,
  caller: ProofFile['callers'][number] = { identity: 'agent' },
) =>
  forged((one) => {
    const known = one.callers.findIndex((other) => JSON.stringify(other) === JSON.stringify(caller));
    if (known < 0) one.callers.push(caller);
    one.calls.push({ ...call, caller: known < 0 ? one.callers.length - 1 : known });
    const input: ProofFile['inputs'][number] = [0, 'call', one.calls.length - 1];
    one.inputs.unshift(...Array.from({ length: count }, () => structuredClone(input)));
  });

test('a skill that would replace the judged world is rejected by the name that was read, however the name is written', async () => {
  for (const name of SKILLS_NOT_IN_TASKS) {
    const task = taskNamed('hall-yellow-to-mark');
    const run = await runOf(task, { seed: 1 });
    const before = run.world();
    const escaped = `\\u${name.charCodeAt(0).toString(16).padStart(4, '0')}${name.slice(1)}`;
    const payload = `{"name":"${escaped}","input":{"scene_id":"hall"}}`;
    expect(JSON.parse(payload).name).toBe(name);
    expect(payload).not.toContain(name);
    let reply = '';
    const call = { requestId: '1', method: 'runtime.tools_call', callerIdentity: 'agent', nowMs: 0 };
    run.runtime.handle({ ...call, payload }, (text) => {
      reply = text;
    });
    expect(JSON.parse(reply)).toMatchObject({ status: 'failed', error: { code: 'PERMISSION_DENIED' } });
    expect(run.world()).toBe(before);
    const proved = run.proof();
    expect(proved.ok && proved.proof.inputs).toEqual([]);
    run.runtime.dispose();
  }
});

test('a proof with JSON in `text`, where a run keeps only invalid JSON, is damaged', () => {
  const raw = '{"name":"\\u0073elect_scene","input":{"scene_id":"hall"}}';
  for (const text of [raw, '7', '{}'])
    expect(withCalls(1, { method: 'runtime.tools_call', text })).toMatchObject({
      is: 'damaged',
      path: expect.stringMatching(/^calls\[\d+\]\.text$/),
    });
  expect(withCalls(1, { method: 'runtime.tools_call', payload: 1, text: 'no JSON' }).is).toBe('damaged');
  expect(withCalls(1, { method: 'runtime.tools_call', text: '' }).is).toBe('damaged');
});

test('a proof with a call of a skill that tasks reject is false, because the call changes nothing', () => {
  for (const name of SKILLS_NOT_IN_TASKS)
    expect(withCalls(1, { method: 'runtime.tools_call', payload: { name, input: { seed: 9 } } })).toMatchObject({
      is: 'false',
      atStep: 0,
      what: 'input 0, a call of runtime.tools_call, changes nothing there, and a run leaves such an input out',
    });
});

test('the world of a proof follows from the seed of the run, and fulfils what the task takes for given', async () => {
  const task = taskNamed('hall-hold-blue');
  const seed = Array.from({ length: 100 }, (_, at) => at).find(
    (one) => worldSeed({ task, robot: 'humanoid', seed: one }, new Scenes()) !== one,
  );
  if (seed === undefined) throw new Error('every seed keeps what is given');
  const proofOfRun = async (of: TaskFile, ofSeed: number): Promise<ProofFile> => {
    const run = await runOf(of, { seed: ofSeed });
    play(run, plannerAgent(of));
    const proved = run.proof();
    run.runtime.dispose();
    if (!proved.ok) throw new Error(proved.reason);
    return proved.proof;
  };
  const honest = await proofOfRun(task, seed);
  expect(honest.seed).toBe(seed);
  expect(verifyProof(RAPIER, proofText(honest)).is).toBe('true');
  // The same sentences in the world of the seed itself, which lacks what is given, with the task restored afterwards.
  const { given, ...easier } = task;
  expect(given).toBeDefined();
  const { sha256: _, ...cheat } = await proofOfRun(easier, seed);
  expect(verifyProof(RAPIER, proofText(seal({ ...cheat, task })))).toMatchObject({ is: 'false' });
  // The seed of the world instead of the run's gives another run, unless that seed fulfils what is given.
  const { sha256: __, ...rest } = honest;
  expect(verifyProof(RAPIER, proofText(seal({ ...rest, seed: seed + 1 })))).toMatchObject({ is: 'false' });
});

test('a task that takes for given what no world has makes a proof false', () => {
  const never = forged(
    ({ task }) => task && Object.assign(task, { given: { kind: 'present', things: { category: 'no_such_thing' } } }),
  );
  expect(never).toMatchObject({ is: 'false', atStep: 0, what: expect.stringContaining('takes for given') });
});

test('what a task takes for given is evaluated without a world, and within a bound', () => {
  const rare = { kind: 'not', of: { kind: 'present', things: {} } } as const;
  const { sha256: _, ...rest } = structuredClone(proof);
  const given = { kind: 'all', of: Array.from({ length: 16 }, () => rare) } as const;
  const text = proofText(
    seal({
      ...rest,
      steps: 0,
      inputs: [],
      calls: [],
      callers: [],
      digests: { every_steps: 30, hex: '' },
      task: { ...(rest.task as TaskFile), given: { ...given, of: [...given.of] } },
    }),
  );
  const withoutWorlds = new Proxy(RAPIER, {
    get(of, name) {
      if (name === 'World') throw new Error('a world is built');
      return Reflect.get(of, name);
    },
  });
  expect(verifyProof(withoutWorlds, text)).toMatchObject({ is: 'false', what: expect.stringContaining('takes for given') });
});

test('a proof of an earlier format is reported as of another version', () => {
  const { sha256: _, ...rest } = structuredClone(proof);
  const old = proofText(seal({ ...rest, format: 'simplesim.proof/1' as ProofFile['format'] }));
  expect(verifyProof(RAPIER, old)).toEqual({
    is: 'other_version',
    proof: null,
    what: 'The file has the format simplesim.proof/1, and this version reads simplesim.proof/2.',
  });
  expect(verifyProof(RAPIER, proofText(seal({ ...rest, format: 'simplesim.task/1' as ProofFile['format'] }))).is).toBe('damaged');
});

test('an input that no run can have makes a proof false or damaged', () => {
  const atStart = (...inputs: ProofFile['inputs']) => forged((one) => one.inputs.unshift(...inputs));
  expect(atStart([0, 'clock', 1e308]).is).toBe('damaged');
  expect(atStart([0, 'suspended', 1e308]).is).toBe('damaged');
  expect(atStart([0, 'clock', 5_000], [0, 'clock', 5_000])).toMatchObject({
    is: 'false',
    what: expect.stringContaining('input 1, "clock"'),
  });
  const clocks = Array.from({ length: 3_000 }, (_, at): ProofFile['inputs'][number] => [0, 'clock', 1_000 * (at + 1)]);
  expect(atStart(...clocks)).toMatchObject({
    is: 'false',
    what: expect.stringMatching(/^\d+ inputs come before step 0; a run has at most \d+ by then$/),
  });
  expect(atStart([0, 'heard'])).toMatchObject({ is: 'false', what: expect.stringContaining('"heard"') });
  expect(atStart([0, 'left', 'nobody'])).toMatchObject({ is: 'false', what: expect.stringContaining('"left"') });
  expect(atStart([0, 'released'])).toMatchObject({ is: 'false', what: expect.stringContaining('"released"') });
});

test('a proof that states a fact in another way than a run does is false, and the report names the place', () => {
  const name = { name: 'set_head', input: { yaw: 0.1 } };
  const reported = (change: (one: ProofFile) => void, what: RegExp): void =>
    expect(forged(change)).toMatchObject({ is: 'false', atStep: 0, what: expect.stringMatching(what) });
  reported(({ calls }) => calls.push({ method: 'runtime.tools_call', caller: 0, payload: name }), /^call \d+ is in no input/);
  reported(({ calls }) => calls.push(structuredClone(calls[0] ?? { method: '', caller: 0 })), /^call \d+ is the same as call 0$/);
  reported(({ callers }) => callers.push({ identity: 'nobody' }), /^caller \d+ brings nothing/);
  reported(
    ({ callers }) => callers.push(structuredClone(callers[0] ?? { identity: null })),
    /^caller \d+ is the same as caller 0$/,
  );
  reported((one) => Object.assign(one, { life_id: 'life' }), /^there is a life_id, and no order of the owner/);
  reported(({ digests }) => Object.assign(digests, { hex: `${digests.hex}000000` }), /digests/);
  reported(({ digests }) => Object.assign(digests, { hex: digests.hex.slice(0, -6) }), /digests/);
  reported(
    ({ digests }) => Object.assign(digests, { every_steps: 60, hex: digests.hex.replace(/.{6}(.{6})/g, '$1') }),
    /every 30 steps/,
  );
  const long = { ...name, options: { action_id: 'x'.repeat(16_000) } };
  reported(({ calls }) => Object.assign(calls[0] ?? {}, { payload: long }), /^call 0 is longer than a call may be$/);
});

test('a call by the robot’s own software, by the service or by a caller of no kind makes a proof false', () => {
  const call = { method: 'runtime.tools_call', payload: { name: 'set_head', input: { yaw: 9 } } };
  for (const caller of [
    { identity: null, robot: 'the robot' },
    { identity: null, service: 'over HTTP' },
    { identity: 'agent', robot: 'the robot' },
    { identity: 'agent', holder: 'owner' },
    { identity: 'agent', agent: true as const },
  ])
    expect(withCalls(1, call, caller)).toMatchObject({ is: 'false', atStep: 0 });
});

test('a proof of fifty thousand reads, or of fifty thousand rejected calls, is false without serving them', () => {
  const reads = withCalls(49_000, { method: 'runtime.scene_state', payload: {} });
  expect(reads).toMatchObject({ is: 'false', atStep: 0, what: expect.stringMatching(/inputs come before step 0/) });
  expect(withCalls(1, { method: 'runtime.scene_state', payload: {} })).toMatchObject({
    is: 'false',
    atStep: 0,
    what: expect.stringMatching(/of runtime\.scene_state, which only looks/),
  });
  expect(withCalls(900, { method: 'runtime.tools_call', payload: { name: 'fly' } })).toMatchObject({ is: 'false', atStep: 0 });
});

test('foreign text in a verification contains no character that a terminal obeys', () => {
  const evil = '\u001b[2K\rtrue\n\u202e\u009b';
  const reported = [
    forged((one) => Object.assign(one, { sim_protocol: 1, product_version: evil })),
    forged((one) => Object.assign(one, { engine: evil })),
    forged((one) => Object.assign(one, { scene: { ...one.scene, id: evil } })),
    withCalls(1, { method: evil }),
  ];
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  for (const one of reported) expect('what' in one ? one.what : '').toMatch(/^[^\u0000-\u001f\u007f-\u009f\u202a-\u202e]+$/u);
});

test('an easier goal gives another verdict than that of the task, and its proof names that goal', () => {
  const easier = forged(({ task }) => task && Object.assign(task, { goal: { kind: 'held', things: {} } }));
  expect(easier.is).toBe('false');
});

test('huge, deep and strange texts are rejected at once', () => {
  for (const strange of [
    '',
    'null',
    '[]',
    '{}',
    'NaN',
    '"text"',
    '['.repeat(100_000),
    `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
    text.replace('"calls":[', `"calls":[${'[['.repeat(60)}${']]'.repeat(60)},`),
    'x'.repeat(PROOF_MAX_BYTES + 1),
    `[${'0,'.repeat(1_500_000)}0]`,
    text.replace(/"steps":\d+/, '"steps":1e999'),
    text.replace(/"steps":\d+/, '"steps":1000000000'),
    text.replace(/"seed":\d+/, '"seed":-1'),
    text.replace('"ids"', '"__proto__"'),
    `\ufeff${text}`,
    `${text}\n`,
  ]) {
    expect(verifyProof(RAPIER, strange).is, strange.slice(0, 40)).toBe('damaged');
  }
});
