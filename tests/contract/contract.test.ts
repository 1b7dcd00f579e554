/**
 * Sends the same calls to the simulator and the worker profile, and compares the answers with the manual: each row of the
 * reference is tried, and each difference has a row.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CONTRACT_DIFFERENCES } from '../../scripts/docs/contract-differences.ts';
import { METHOD_NAMES } from '../../src/protocol/wire/methods.ts';
import { runtimeStateSchema } from '../../src/protocol/wire/state.ts';
import { DIFFERENCES, standing, UNSIGNED } from './differences.ts';

const readPage = (name: string): string => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
/** The first cell of each row of the tables in a Markdown text. */
const titlesIn = (markdown: string): string[] =>
  [...markdown.matchAll(/^\| ([^|]+) \|/gm)].map(([, title]) => title ?? '').filter((title) => title !== 'what');
const section = (page: string, heading: string): string => {
  const start = page.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`The page has no section "${heading}".`);
  const end = page.indexOf('\n## ', start + 1);
  return page.slice(start, end < 0 ? undefined : end);
};
const PROFILES = ['simulator', 'worker'] as const;

describe.each(PROFILES)('the differences, on the %s', (profile) => {
  it.each(DIFFERENCES.map((difference) => [difference.title, difference] as const))('%s', async (_title, difference) => {
    expect(difference.ask(await standing(profile))).toEqual(difference[profile]);
  });

  it(UNSIGNED.title, async () => {
    expect(UNSIGNED.ask(await standing(profile, true))).toEqual(UNSIGNED[profile]);
  });
});

describe('the manual', () => {
  const asked: string[] = [UNSIGNED, ...DIFFERENCES].map(({ title }) => title).sort();

  it('the manual has a row for each tested difference, and no other row', () => {
    expect(CONTRACT_DIFFERENCES.flatMap(({ rows }) => rows.map(({ title }) => title as string)).sort()).toEqual(asked);
    const [rows = ''] = readPage('reference/contracts.md').split('## Order of checks');
    expect(titlesIn(rows).sort()).toEqual(asked);
  });

  it('the page of the physical robot explains only differences that are tested', () => {
    const explained = titlesIn(section(readPage('physical-robot.md'), 'Which differences break programs?'));
    expect(explained.length).toBeGreaterThan(5);
    expect(asked).toEqual(expect.arrayContaining(explained));
  });

  it.each(DIFFERENCES.map((difference) => [difference.title, difference] as const))(
    'the manual is right that the contracts differ: %s',
    (_title, { simulator, worker }) => {
      expect(simulator).not.toEqual(worker);
    },
  );
});

describe.each(PROFILES)('the common part, on the %s', (profile) => {
  it('both contracts have the same methods', async () => {
    expect((await standing(profile)).read('runtime.manifest').methods).toEqual(METHOD_NAMES);
  });

  it('both contracts have the same state', async () => {
    const t = await standing(profile);
    runtimeStateSchema.parse(t.read('runtime.state'));
    expect(t.read('runtime.scene_state').entities.robot).toBeDefined();
    expect(t.read('runtime.scene_layout').scene_id).toBe('warehouse');
  });

  it('a repeat of an action id runs once, and other parameters under it are rejected', async () => {
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

  it('a velocity beyond the limit is clamped, and the reply notes it', async () => {
    const t = await standing(profile);
    expect(t.invoke('set_velocity', { vy: -9 }).meta.degraded).toBe(true);
  });

  it('absent numbers of a velocity are 0', async () => {
    const t = await standing(profile);
    t.start('set_velocity', { vy: 0.2 });
    expect(t.core.world.base.command).toEqual({ vx: 0, vy: 0.2, wz: 0 });
  });

  it('a zero velocity stops a velocity', async () => {
    const t = await standing(profile);
    t.start('set_velocity', { vx: 0.6 });
    t.advance(60);
    t.start('set_velocity', {});
    t.advance(120);
    expect(Math.abs(t.core.world.base.velocity.vx)).toBeLessThan(0.02);
  });
});
