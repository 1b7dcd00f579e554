import { describe, expect, it } from 'vitest';
import { list } from '../../src/simulation/things.ts';
import { atPose, createTestRuntime, entity, type Reply, startAt } from './test-runtime.ts';

/** How existing programs read the distances from a rejection. */
const PROGRAMS_READ = /too far from cube \((\d+\.\d+)m > (\d+\.\d+)m\)/;
/** Far from the belt and every pallet. */
const FAR = { x: 3.2, y: -2 };

const distanceM = ([x, y]: readonly [number, number, number]): number => Math.hypot(x - FAR.x, y - FAR.y);

function expectFar(reply: Reply, asked: string, means: string, trueM: number): void {
  expect(reply.error, `${asked}: ${JSON.stringify(reply)}`).toMatchObject({
    code: 'OUT_OF_REACH',
    details: { entity_id: means, reach_m: 1.2, attempted: false, world_changed: 'no' },
  });
  const { message, details } = reply.error;
  const read = PROGRAMS_READ.exec(message);
  expect(read, message).not.toBeNull();
  // The words come first and verbatim, with two decimals each; the cube's id and the remedy follow.
  expect(message.startsWith(`too far from cube (${trueM.toFixed(2)}m > 1.20m)`), message).toBe(true);
  expect(message.slice(read?.[0].length)).toContain(means);
  expect(message).toContain('go_to');
  expect(details.distance_m).toBeCloseTo(trueM, 3);
  expect(Math.abs(Number(read?.[1]) - details.distance_m)).toBeLessThanOrEqual(0.00501);
}

describe('the words that programs read', () => {
  it('a pick out of reach has the same words for every cube and the alias', async () => {
    const t = await startAt(FAR.x, FAR.y, 0);
    const things = list(t.core.world);
    expect(things).toHaveLength(7);
    for (const { entityId, position } of things)
      expectFar(t.invoke('pick_entity', entity(entityId)), entityId, entityId, distanceM(position));
    const nearest = things.reduce((best, thing) => (distanceM(thing.position) < distanceM(best.position) ? thing : best));
    expectFar(t.invoke('pick_entity', entity('cube')), 'cube', nearest.entityId, distanceM(nearest.position));
  });

  it('a pick out of reach has the same words for a cube with a number of two digits', async () => {
    const t = await startAt(0.94, -1.8, 0);
    for (let taken = 0; list(t.core.world).every(({ entityId }) => entityId !== 'cube_10'); taken += 1) {
      expect(taken).toBeLessThan(8);
      expect(t.invoke('pick_entity', entity('cube')).status).toBe('done');
      t.invoke('go_to', entity('pad_C'));
      expect(t.invoke('place_entity').status).toBe('done');
      t.invoke('go_to', atPose(0.94, -1.8, 0, { yaw_deg: 0 }));
      t.advance(360);
    }
    t.invoke('go_to', atPose(FAR.x, FAR.y));
    expect(t.invoke('pick_entity', entity('cube_10')).error.message).toMatch(PROGRAMS_READ);
  });

  it('a place out of reach has words of its own, with the remedy', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.invoke('pick_entity', entity('cube_0'));
    const { code, message, details } = t.invoke('place_entity', atPose(0.94, -3.5, 0.075)).error;
    expect(code).toBe('OUT_OF_REACH');
    expect(message).toMatch(/^too far from the place \(1\.70m > 1\.20m\).*go_to/);
    expect(message).not.toMatch(PROGRAMS_READ);
    expect(details).toMatchObject({ distance_m: 1.7, reach_m: 1.2 });
  });

  it('full hands without a pallet nearby begin with the words that programs read', async () => {
    const t = await startAt(0.94, -1.8, 0);
    t.invoke('pick_entity', entity('cube_0'));
    expect(t.invoke('pick_entity', entity('cube_1')).error.message).toMatch(/^carry capacity reached\b/);
    const nowhere = t.invoke('place_entity').error;
    // Pads that accept something, and the nearest of them: never the one that cubes come from.
    expect(nowhere.message).toBe(
      'not near a pallet (must be within 1.20m of pad_B, pad_C, pad_D, pad_E): the nearest is pad_C, 4.08 m away. Go nearer first: go_to pad_C stops within reach of it.',
    );
    expect(Object.keys(nowhere.details.distances_m)).toEqual(['pad_B', 'pad_C', 'pad_D', 'pad_E']);
    for (const target of [entity('pad_B'), { target: { kind: 'slot', pad_id: 'pad_B', index: 0 } }]) {
      const { code, message } = t.invoke('place_entity', target).error;
      expect(code).toBe('OUT_OF_REACH');
      expect(message.startsWith('not near a pallet (must be within 1.20m of pad_B)'), message).toBe(true);
      expect(message, 'a pad on a pallet').toMatch(/: pad_B is \d\.\d\d m away\. Go nearer first: go_to pad_B /);
    }
  });

  it('a far slot of a long pad: a robot at the pad learns where the slot is, and is not sent to the pad', async () => {
    const t = await createTestRuntime();
    t.invoke('go_to', entity('pad_A'));
    t.invoke('pick_entity', entity('cube'));
    const slot = (index: number) => ({ target: { kind: 'slot', pad_id: 'pad_A', index } });
    const { code, message, details } = t.invoke('place_entity', slot(6)).error;
    expect(code).toBe('OUT_OF_REACH');
    const at =
      /^too far from slot 6 of pad_A \(\d\.\d\dm > 1\.20m\)\. Go nearer first: go_to a pose .*, at \((.*), (.*)\)\.$/.exec(
        message,
      );
    expect(at, message).not.toBeNull();
    expect(details).toMatchObject({ pad_id: 'pad_A', slot: 6, reach_m: 1.2 });
    const beside = { position: [Number(at?.[1]) - 0.9, Number(at?.[2]), 0] };
    expect(t.invoke('go_to', { target: { kind: 'pose', pose: beside } }).status).toBe('done');
    expect(t.invoke('place_entity', slot(6)).error?.code).not.toBe('OUT_OF_REACH');
  });

  it('without a nearby pad on a table, the rest of the sentence names the support of the nearest', async () => {
    const t = await createTestRuntime({ sceneId: 'hall' });
    expect(t.invoke('go_to', entity('cube_0')).status).toBe('done');
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    const reported = (padId: string) => t.invoke('place_entity', entity(padId)).error.message;
    expect(reported('pad_2')).toMatch(
      /^not near a pallet \(must be within 1\.20m of pad_2\): pad_2 \(on a table\) is \d\.\d\d m away\. Go/,
    );
    expect(reported('pad_3')).toMatch(/: pad_3 \(on the floor\) is \d\.\d\d m away\. Go/);
    expect(t.invoke('place_entity').error.message).toMatch(/: the nearest is pad_2 \(on a table\), \d\.\d\d m away\. Go/);
  });
});
