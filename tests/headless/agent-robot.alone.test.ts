import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { type AgentWorld, startAgentRobot } from '../../src/headless/agent-robot.ts';

const WORLD: AgentWorld = { modelId: 'humanoid', sceneId: 'hall', seed: 1, task: null, sceneFile: null };
const QUIET = { pictures: null, worldsDir: null, log: () => undefined };

/** Returns the seed of the world once the robot answers. */
async function seedOf(robot: ReturnType<typeof startAgentRobot>): Promise<unknown> {
  const state = (await robot.access.read('runtime.state')) as { robot?: { extra: { sim: { seed: number } } } };
  return state.robot?.extra.sim.seed;
}

const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length;

it('replaces the world for each request in their order, and ends every world', async () => {
  // Timers of the test run end.
  await sleep(500);
  const before = timers();
  const robot = startAgentRobot({ ...QUIET, world: WORLD });
  await Promise.all([2, 3, 4].map((seed) => robot.restart({ ...WORLD, seed })));
  expect(await seedOf(robot)).toBe(4);
  expect(robot.world.seed).toBe(4);
  await robot.end();
  // The clock of each world is a timer.
  await sleep(200);
  expect(timers()).toBeLessThanOrEqual(before);
});

it('rejects a motion of the world before, and moves nothing in the new one', async () => {
  const robot = startAgentRobot({ ...QUIET, world: WORLD });
  const driving = robot.access.invoke('set_velocity', { vx: 1, duration_s: 5 }, { actionId: 'a', deadlineS: 10 });
  const outcome = driving.then(
    () => 'answered',
    (thrown: Error) => thrown.message,
  );
  await robot.restart({ ...WORLD, seed: 2 });
  expect(await outcome).toContain('The world was started over');
  const state = (await robot.access.read('runtime.state')) as { robot: { status: string }; runtime: { active_action?: object } };
  expect(state.robot.status).not.toBe('moving');
  expect(state.runtime.active_action).toBeUndefined();
  await robot.end();
});

it('keeps no reply in memory after it was read', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const robot = startAgentRobot({ ...QUIET, world: WORLD });
  await robot.restart(WORLD);
  const heapAfter = async (reads: number): Promise<number> => {
    for (let read = 0; read < reads; read += 1) await robot.access.read('runtime.scene_state', {});
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await heapAfter(300);
  const grownBy = (await heapAfter(1_500)) - before;
  await robot.end();
  // A kept reply has 2.7 kB.
  expect(grownBy).toBeLessThan(2e6);
});
