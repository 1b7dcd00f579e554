import { describe, expect, it } from 'vitest';
import { fakeRobot } from './helpers/fake-robot.ts';

const cube = (id: string, x: number, state: object = {}) => ({
  entity_id: id,
  kind: 'cube',
  pose: { position: [x, 0, 0], yaw_deg: 0 },
  attached_to: null,
  state: { color: 'red', ...state },
});

const tooLarge = (ids: string[], atOnce: number) => ({
  status: 'failed',
  error: {
    code: 'PAYLOAD_TOO_LARGE',
    message: 'The entities need more than one call can carry.',
    details: { entity_ids: ids, allowed: { entity_ids: atOnce } },
  },
});

describe('get_scene', () => {
  it('reads a crowded scene in parts that the robot can carry', async () => {
    const { use, answer, reads } = fakeRobot();
    const ids = Array.from({ length: 25 }, (_, at) => `cube_${at}`);
    answer.read = (method, payload) => {
      if (method !== 'runtime.scene_state') return {};
      const { entity_ids: wanted } = payload as { entity_ids?: string[] };
      if (wanted === undefined || wanted.length > 10) return tooLarge(ids, 10);
      return { entities: Object.fromEntries(wanted.map((id) => [id, cube(id, Number(id.slice(5)))])) };
    };
    const { facts } = await use('get_scene', { near: { x: 0, y: 0 }, limit: 40 });
    expect(facts).toMatchObject({ total: 25, cut: false });
    const sizes = reads.map(({ payload }) => (payload as { entity_ids?: string[] })?.entity_ids?.length);
    expect(sizes.filter((size) => size !== undefined && size > 1)).toEqual([10, 10, 5]);
  });

  it('reports a cube that was delivered, if it was requested by its id', async () => {
    const { use, answer } = fakeRobot();
    answer.read = (method) =>
      method === 'runtime.scene_state' ? { entities: { cube_3: cube('cube_3', 1, { collected: true }) } } : {};
    const { facts, said } = await use('get_scene', { ids: ['cube_3'], near: { x: 0, y: 0 } });
    expect(facts).toMatchObject({ entities: [], delivered: ['cube_3'] });
    expect(said).toContain('Delivered, and no longer in the scene: cube_3.');
  });
});

describe('the sentence of get_scene', () => {
  it('has everything that the data have: containers, pads, heights, headings, reach and regions', async () => {
    const { use, answer } = fakeRobot();
    const thing = (id: string, x: number, state: object, yawDeg = 0) => ({
      ...cube(id, x, state),
      pose: { position: [x, 0, 0.65], yaw_deg: yawDeg },
    });
    answer.read = (method) =>
      method === 'runtime.scene_state'
        ? {
            entities: {
              robot: { entity_id: 'robot', kind: 'robot', pose: { position: [0, 0, 0] } },
              a: thing('a', 1, { parent_pad_id: 'table', container_id: 'basket' }),
              b: thing('b', 2, {}, 30),
            },
          }
        : {
            regions: [
              {
                region_id: 'dock',
                title: 'Loading dock',
                polygon: [
                  [0, 0],
                  [2, 0],
                  [2, 4],
                  [0, 4],
                ],
              },
            ],
          };
    const { facts, said } = await use('get_scene');
    expect(facts).toMatchObject({
      entities: [
        { id: 'a', on: 'table', in: 'basket' },
        { id: 'b', on: null, in: null },
      ],
    });
    expect(said).toBe(
      'a (red cube) in basket on table at x 1.00 m, y 0.00 m, z 0.65 m, 1.00 m away, in reach; b (red cube) at x 2.00 m, y 0.00 m, z 0.65 m, heading 30°, 2.00 m away. Regions of the floor: dock (“Loading dock”) around x 1.00 m, y 2.00 m.',
    );
  });
});

describe('a call whose reply was lost', () => {
  it('joins its action if only rejected calls came after it', async () => {
    const { agent, answer, calls } = fakeRobot();
    const signal = new AbortController().signal;
    answer.invoke = ({ skill, actionId, end }) =>
      end(
        skill === 'go_to'
          ? { status: 'done', result: {}, meta: { action_id: actionId } }
          : { status: 'failed', error: { code: 'HANDS_FULL', message: 'Full.', details: { attempted: false } } },
      );
    await agent.call('go_to', { to: 'pad_A' }, { signal });
    await agent.call('pick', { id: 'cube_1' }, { signal });
    await agent.call('go_to', { to: 'pad_A' }, { signal });
    expect(calls.map(({ skill }) => skill)).toEqual(['go_to', 'pick_entity']);
  });
});
