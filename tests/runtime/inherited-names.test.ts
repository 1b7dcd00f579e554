import { afterEach, describe, expect, it } from 'vitest';
import { RCW_SKILL_NAMES } from '../../src/protocol/wire/rcw-skills.ts';
import { SKILL_NAMES } from '../../src/protocol/wire/skills.ts';
import { robotTruth } from './oracle.ts';
import { createRcw, STANDING } from './rcw/rcw-runtime.ts';
import { createTestRuntime } from './test-runtime.ts';

/** Names that every object of JavaScript already has. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype);
const CALL = 'runtime.tools_call';
/** JSON text, because an object literal cannot have `__proto__` as a name. */
const VALUES = ['1', '{"polluted":true}', 'null'];

/** A call of each kind, with a place for the name at every depth; the path is where the reply must find it. */
const PLACES: [where: string, path: string, text: (member: string) => string][] = [
  ['an input', 'input', (m) => `{"name":"set_velocity","input":{"vx":0.2,${m}}}`],
  ['a target', 'input.target', (m) => `{"name":"go_to","input":{"target":{"kind":"entity","entity_id":"pad_B",${m}}}}`],
  [
    'a pose in a target',
    'input.target.pose',
    (m) => `{"name":"go_to","input":{"target":{"kind":"pose","pose":{"position":[0,0,0],${m}}}}}`,
  ],
  [
    'a start pose',
    'input.start_pose',
    (m) => `{"name":"select_scene","input":{"scene_id":"warehouse","start_pose":{"position":[0,0,0],${m}}}}`,
  ],
  ['a benchmark', 'input.benchmark', (m) => `{"name":"configure_benchmark","input":{"benchmark":{${m}}}}`],
  ['the options', 'options', (m) => `{"name":"set_velocity","input":{"vx":0.2},"options":{${m}}}`],
  ['the call', '', (m) => `{"name":"set_velocity","input":{"vx":0.2},${m}}`],
];

afterEach(() => {
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(INHERITED);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

describe('names that every object has', () => {
  it.each(INHERITED)('%s is rejected by name like any unknown name, at every depth', async (name) => {
    const t = await createTestRuntime();
    const before = robotTruth(t.core);
    for (const [where, path, text] of PLACES) {
      for (const value of VALUES) {
        const payload = text(`${JSON.stringify(name)}:${value}`);
        const { status, error } = t.sendText(CALL, payload).reply;
        expect({ status, code: error?.code }, `${where}: ${payload}`).toEqual({ status: 'failed', code: 'INVALID_INPUT' });
        expect(error.message, where).toContain(`unknown property "${name}"`);
        expect(error.details.path, where).toBe(path === '' ? name : `${path}.${name}`);
      }
    }
    t.advance(10);
    expect(robotTruth(t.core).position).toEqual(before.position);
    expect(t.core.ledger.ended.size).toBe(0);
  });

  it('no skill accepts an inherited name, whatever else its input contains', async () => {
    const t = await createTestRuntime();
    for (const skill of SKILL_NAMES) {
      for (const name of INHERITED) {
        const { error } = t.sendText(CALL, `{"name":"${skill}","input":{${JSON.stringify(name)}:{"polluted":true}}}`).reply;
        expect(error?.code, `${skill} ${name}`).toBe('INVALID_INPUT');
        expect(error.message).toContain(`"${name}"`);
      }
    }
  });

  it.each(['runtime.scene_state', 'runtime.action', 'runtime.cancel', 'runtime.cameras_capture'])(
    '%s rejects inherited names too',
    async (method) => {
      const t = await createTestRuntime();
      for (const name of INHERITED) {
        const { error } = t.sendText(method, `{${JSON.stringify(name)}:{"polluted":true}}`).reply;
        expect(error?.code, name).toBe('INVALID_INPUT');
        expect(error.message).toContain(`"${name}"`);
      }
    },
  );

  it('a worker drops inherited names from the parameters of a skill, like any unknown name', async () => {
    const t = await createRcw();
    for (const skill of RCW_SKILL_NAMES) {
      for (const name of INHERITED) {
        const known = skill === 'set_upper_body' ? JSON.stringify(STANDING).slice(1, -1) : '"vx":0.1';
        const payload = `{"name":"${skill}","input":{${known},${JSON.stringify(name)}:{"vx":1.5,"polluted":true}}}`;
        const call = t.sendText(CALL, payload);
        expect(t.finish(call).status, payload).toBe('done');
        if (skill === 'set_velocity') expect(call.reply.result.command).toEqual({ vx: 0.1, vy: 0, vyaw: 0 });
      }
    }
  });
});

describe('a name that occurs twice in an object', () => {
  it('the last value of a name that occurs twice counts, as in the JSON of JavaScript and Python', async () => {
    const t = await createTestRuntime();
    const reply = t.finish(t.sendText(CALL, '{"name":"set_velocity","input":{"vx":1.2,"vx":0.1,"duration_s":0.1}}'));
    expect(reply.result.applied).toEqual({ vx: 0.1, vy: 0, wz: 0 });
  });
});
