import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSimulation, type Simulation, type SimulationOptions } from '../../src/headless/index.ts';
import { SCENE_IDS } from '../../src/protocol/wire/scene-ids.ts';
import { checkRpcReply } from '../client-models/check.ts';

const open: Simulation[] = [];
const start = async (options: SimulationOptions = {}): Promise<Simulation> => {
  const simulation = await createSimulation(options);
  open.push(simulation);
  return simulation;
};
afterEach(() => {
  for (const simulation of open.splice(0)) simulation.dispose();
});

/** Steps are made between two turns of the event loop: any step that was due has been made. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const CUBE = { target: { kind: 'entity', entity_id: 'cube' } };

describe('a simulation in process', () => {
  it('a simulation carries a cube to the pad of its colour, and its time is that of its steps', async () => {
    const simulation = await start({ seed: 3 });
    const picked = await simulation.invoke('pick_entity', CUBE);
    expect(picked).toMatchObject({ status: 'done' });
    checkRpcReply('runtime.tools_call', JSON.stringify(picked));
    const held = picked.result.held;
    const { entities } = simulation.sceneState();
    const colour = entities[held]?.state.color;
    const pad = Object.values(entities).find(({ kind, state }) => kind === 'pad' && state.color === colour);
    const target = { kind: 'entity', entity_id: pad?.entity_id };
    expect(await simulation.invoke('go_to', { target })).toMatchObject({ status: 'done' });
    const placed = await simulation.invoke('place_entity', { target });
    expect(placed).toMatchObject({ status: 'done' });
    expect(simulation.timeS).toBe(simulation.stepCount / 120);
    expect(simulation.timeS).toBeGreaterThan(5);
  });

  it('gives the same replies, steps and hashes for the same seed and calls, after a reset and elsewhere (P12)', async () => {
    const story = async (simulation: Simulation): Promise<unknown[]> => {
      const reported: unknown[] = [simulation.hash()];
      const [walked, looked] = await Promise.all([
        simulation.invoke('go_to', { target: { kind: 'entity', entity_id: 'pad_C' } }),
        simulation.invoke('set_head', { yaw: 0.4, pitch: 0.1 }).then((reply) => [reply, simulation.stepCount]),
      ]);
      reported.push(walked, looked, simulation.stepCount, simulation.hash());
      reported.push(await simulation.invoke('pick_entity', CUBE), simulation.stepCount, simulation.hash());
      return reported;
    };
    const [first, second] = [await start({ seed: 9 }), await start({ seed: 8 })];
    const reported = await story(first);
    first.reset();
    expect(await story(first)).toEqual(reported);
    second.reset(9);
    expect(second.seed).toBe(9);
    expect(await story(second)).toEqual(reported);
    second.reset(10);
    expect(await story(second)).not.toEqual(reported);
  });

  it('a simulation makes no step of its own for a call that is sent, nor after the last answer', async () => {
    const simulation = await start();
    const walking = simulation.send('runtime.tools_call', {
      name: 'go_to',
      input: { target: { kind: 'pose', pose: { position: [1, 0, 0] } } },
    });
    await turn();
    expect([walking.reply, simulation.stepCount]).toEqual([null, 0]);
    while (walking.reply === null) simulation.step();
    expect(walking.reply).toHaveProperty('status');
    const steps = simulation.stepCount;
    expect((await simulation.call('runtime.state')).robot.status).toBe('ready');
    await turn();
    expect(simulation.stepCount).toBe(steps);
    simulation.step(7);
    expect(simulation.stepCount).toBe(steps + 7);
  });

  it('a simulation lets an answered caller act before the next step', async () => {
    const simulation = await start();
    const walking = simulation.invoke('go_to', { target: { kind: 'pose', pose: { position: [2, 0, 0] } } });
    expect(await simulation.invoke('set_head', { yaw: 0.5, pitch: 0 })).toMatchObject({ status: 'done' });
    const answeredAt = simulation.stepCount;
    expect(await simulation.call('runtime.cancel')).toHaveProperty('status');
    expect((await walking).error?.code).toBe('CANCELLED');
    expect(simulation.stepCount - answeredAt).toBeLessThan(120);
  });

  it('rejects pictures in a sentence with the reason and the remedy', async () => {
    const simulation = await start();
    const reply = await simulation.call('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } });
    expect(reply.error).toMatchObject({
      code: 'UNKNOWN_CAMERA',
      message: expect.stringContaining('Open the robot in a browser'),
    });
    expect((await simulation.call('runtime.capabilities')).captures.available).toBe(false);
  });

  it('a simulation runs the other robot in the other scene', async () => {
    const simulation = await start({ sceneId: 'hall', robotId: 'picker' });
    expect(simulation.layout()).toMatchObject({ scene_id: 'hall', robot: 'picker' });
    const cube = { target: { kind: 'entity', entity_id: 'cube_0' } };
    expect(await simulation.invoke('go_to', cube)).toMatchObject({ status: 'done' });
    expect(await simulation.invoke('pick_entity', cube)).toMatchObject({ status: 'done', result: { held: 'cube_0' } });
  });

  it('two simulations keep different scenes of the same id', async () => {
    const file = JSON.parse(readFileSync(join(import.meta.dirname, '../../scenes/hall.json'), 'utf8'));
    const withCubes = (count: number) => start({ scene: { ...file, scene_id: 'my_hall', things: file.things.slice(0, count) } });
    const [two, three] = [await withCubes(2), await withCubes(3)];
    const cubesAfter = async (simulation: Simulation, skill: string): Promise<number> => {
      expect(await simulation.invoke(skill, { scene_id: 'my_hall' })).toMatchObject({ status: 'done' });
      return Object.keys(simulation.sceneState().entities).filter((id) => id.startsWith('cube_')).length;
    };
    for (const skill of ['select_scene', 'reset'])
      expect([await cubesAfter(two, skill), await cubesAfter(three, skill)], skill).toEqual([2, 3]);
    const other = await start();
    expect((await other.call('runtime.manifest')).scenes).toEqual([...SCENE_IDS]);
  });

  it('a simulation runs in the scene of a file, also after a reset, and rejects a file with its faults', async () => {
    const file = JSON.parse(readFileSync(join(import.meta.dirname, '../../scenes/hall.json'), 'utf8'));
    const own = { ...file, scene_id: 'my_hall' };
    const simulation = await start({ scene: own, seed: 4 });
    expect(simulation.layout().scene_id).toBe('my_hall');
    const hash = simulation.hash();
    // Another one of this name does not replace it.
    const other = await start({ scene: JSON.stringify({ ...own, title: 'Another' }), seed: 4 });
    simulation.reset();
    expect([simulation.hash(), other.hash()]).toEqual([hash, hash]);
    await expect(createSimulation({ scene: file })).rejects.toThrow(/scene_id must be another id/);
    await expect(createSimulation({ scene: { ...own, nonsense: 1 } })).rejects.toThrow(/nonsense/);
    await expect(createSimulation({ scene: '{' })).rejects.toThrow(/is not JSON/);
  });

  it('rejects unknown names, with the known ones', async () => {
    await expect(createSimulation({ sceneId: 'moon' })).rejects.toThrow(/no scene "moon".*warehouse, hall/);
    await expect(createSimulation({ robotId: 'dog' as 'picker' })).rejects.toThrow(/no robot "dog".*humanoid, picker/);
    for (const seed of [-1, 1.5, 2 ** 32, Number.NaN, '1' as unknown as number])
      await expect(createSimulation({ seed })).rejects.toThrow(/whole number from 0 to 4294967295/);
    const simulation = await start();
    expect(() => simulation.step(-1)).toThrow(/number of steps/);
    expect(() => simulation.reset(-1)).toThrow(/seed/);
    expect((await simulation.call('runtime.nonsense' as 'runtime.state')).error.code).toBe('METHOD_NOT_FOUND');
    await expect(simulation.call('runtime.state', BigInt as unknown as object)).rejects.toThrow(/JSON/);
  });

  it('reports to a waiting caller that nothing more comes: too long, reset, disposed of', async () => {
    const simulation = await start();
    const far = { target: { kind: 'pose', pose: { position: [2, 0, 0] } } };
    const late = simulation.call('runtime.tools_call', { name: 'go_to', input: far }, { timeoutS: 0.5 });
    await expect(late).rejects.toThrow(/no answer within 0.5 simulated seconds/);
    expect(simulation.stepCount).toBe(60);
    await simulation.invoke('cancel');
    const lost = simulation.call('runtime.tools_call', { name: 'go_to', input: far });
    simulation.reset();
    await expect(lost).rejects.toThrow(/was reset/);
    const gone = simulation.invoke('go_to', far);
    simulation.dispose();
    await expect(gone).rejects.toThrow(/disposed/);
    expect(() => simulation.state()).toThrow(/disposed/);
    await expect(simulation.call('runtime.state')).rejects.toThrow(/disposed/);
  });

  it('a simulation continues when a call is answered by the end of another: two callers wait for one action', async () => {
    const simulation = await start();
    const ask = {
      name: 'go_to',
      input: { target: { kind: 'pose', pose: { position: [1, 0, 0] } } },
      options: { action_id: 'one' },
    };
    const [first, second] = await Promise.all([
      simulation.call('runtime.tools_call', ask, { caller: 'a' }),
      simulation.call('runtime.tools_call', ask, { caller: 'b' }),
    ]);
    expect(second).toEqual(first);
  });
});
