/**
 * The two contracts beside each other: the same questions to the simulator and to the worker profile. A difference that the guide does
 * not name fails here, and so does one that it names and that is none.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { METHOD_NAMES } from '../../src/protocol/methods.ts';
import { runtimeStateSchema } from '../../src/protocol/state.ts';
import { DIFFERENCES, standing, UNSIGNED } from './differences.ts';

const GUIDE = readFileSync(new URL('../../docs/from-simulator-to-robot.md', import.meta.url), 'utf8');
const PROFILES = ['simulator', 'worker'] as const;

describe.each(PROFILES)('the differences, on the %s', (profile) => {
  it.each(DIFFERENCES.map((difference) => [difference.title, difference] as const))('%s', async (_title, difference) => {
    expect(difference.ask(await standing(profile))).toEqual(difference[profile]);
  });

  it(UNSIGNED.title, async () => {
    expect(UNSIGNED.ask(await standing(profile, true))).toEqual(UNSIGNED[profile]);
  });
});

describe('the guide', () => {
  it.each([UNSIGNED, ...DIFFERENCES].map(({ title }) => title))('names: %s', (title) => {
    expect(GUIDE).toContain(`| ${title} |`);
  });

  it('names no difference that is not asked for here', () => {
    const table = GUIDE.slice(
      GUIDE.indexOf('## Every difference'),
      GUIDE.indexOf('\n## ', GUIDE.indexOf('## Every difference') + 5),
    );
    const rows = [...table.matchAll(/^\| ([^|]+) \|/gm)]
      .map(([, title]) => title ?? '')
      .filter((title) => !/^(what|-+)$/.test(title));
    expect(rows.sort()).toEqual([UNSIGNED, ...DIFFERENCES].map(({ title }) => title).sort());
  });

  it.each(DIFFERENCES.map((difference) => [difference.title, difference] as const))(
    'is right that they differ: %s',
    (_title, { simulator, worker }) => {
      expect(simulator).not.toEqual(worker);
    },
  );
});

describe.each(PROFILES)('the common part, on the %s', (profile) => {
  it('the methods', async () => {
    expect((await standing(profile)).read('runtime.manifest').methods).toEqual(METHOD_NAMES);
  });

  it('the state', async () => {
    const t = await standing(profile);
    runtimeStateSchema.parse(t.read('runtime.state'));
    expect(t.read('runtime.scene_state').entities.robot).toBeDefined();
    expect(t.read('runtime.scene_layout').scene_id).toBe('warehouse');
  });

  it('a repeat of an action id runs once, and other parameters under it are refused', async () => {
    const t = await standing(profile);
    const first = t.invoke('set_velocity', { vx: 0 }, { action_id: 'a1' });
    expect(t.invoke('set_velocity', { vx: 0 }, { action_id: 'a1' })).toEqual(first);
    expect(t.start('set_velocity', { vx: 1 }, { action_id: 'a1' }).reply.error.code).toBe('DUPLICATE_ACTION');
    expect(t.read('runtime.action', { action_id: 'a1' })).toEqual(first);
  });

  it.each([
    ['NaN', '{"name":"set_velocity","input":{"vx":NaN}}', 'INVALID_INPUT'],
    ['no JSON', 'forward!', 'INVALID_INPUT'],
    ['a list', '[]', 'INVALID_INPUT'],
    ['an unknown skill', '{"name":"fly"}', 'UNKNOWN_SKILL'],
    ['a word for a number', '{"name":"set_velocity","input":{"vx":"fast"}}', 'INVALID_INPUT'],
    ['too much', `{"name":"set_velocity","input":{"vx":0,"note":"${'x'.repeat(16_000)}"}}`, 'PAYLOAD_TOO_LARGE'],
  ])('%s is a guard and moves nothing', async (_what, payload, code) => {
    const t = await standing(profile);
    const { reply } = t.sendText('runtime.tools_call', payload);
    expect(reply).toMatchObject({ status: 'failed', error: { code } });
    expect(reply.meta).toBeUndefined();
  });

  it('beyond the limit a velocity is clamped, and the reply says so', async () => {
    const t = await standing(profile);
    expect(t.invoke('set_velocity', { vy: -9 }).meta.degraded).toBe(true);
  });

  it('numbers of a velocity that are left out are 0', async () => {
    const t = await standing(profile);
    t.start('set_velocity', { vy: 0.2 });
    expect(t.core.world.base.command).toEqual({ vx: 0, vy: 0.2, wz: 0 });
  });

  it('a zero velocity stops it', async () => {
    const t = await standing(profile);
    t.start('set_velocity', { vx: 0.6 });
    t.advance(60);
    t.start('set_velocity', {});
    t.advance(120);
    expect(Math.abs(t.core.world.base.velocity.vx)).toBeLessThan(0.02);
  });
});
