/**
 * A robot in this very process, without a page, a room or a platform: three cubes go to the pads of their colours, as fast as this
 * machine can. Then the same again, and both stories agree to the bit.
 *
 *   npm run compile && npx tsx examples/headless.ts
 */
import { createSimulation, type Simulation } from 'simplesim';

const CUBES = 3;
const seed = Number(process.argv[2] ?? 1);

const startedMs = performance.now();
const simulation = await createSimulation({ sceneId: 'warehouse', robotId: 'humanoid', seed });
const first = await sort(simulation);
console.log(`Sorted ${CUBES} cubes in ${simulation.timeS.toFixed(1)} simulated seconds. State hash: ${first}`);
const speed = (simulation.timeS * 1_000) / (performance.now() - startedMs);
console.log(`That was ${speed.toFixed(0)} times as fast as the world.`);

simulation.reset(seed);
const second = await sort(simulation);
console.log(`Again from the start. State hash: ${second}: ${second === first ? 'the same' : 'ANOTHER STORY'}.`);
simulation.dispose();
process.exitCode = second === first ? 0 : 1;

/** Carries cubes to the pads of their colours. @returns the state hash at the end */
async function sort(robot: Simulation): Promise<string> {
  for (let carried = 0; carried < CUBES; carried += 1) {
    const entities = Object.values(robot.sceneState().entities);
    const source = entities.find(({ kind, state }) => kind === 'pad' && state.role === 'source');
    const cube = entities.find(({ kind, state }) => kind === 'cube' && state.parent_pad_id === source?.entity_id);
    const pad = entities.find(({ kind, state }) => kind === 'pad' && state.color === cube?.state.color);
    await done(robot, 'go_to', { target: { kind: 'entity', entity_id: cube?.entity_id } });
    await done(robot, 'pick_entity', { target: { kind: 'entity', entity_id: cube?.entity_id } });
    const target = { kind: 'entity', entity_id: pad?.entity_id };
    await done(robot, 'go_to', { target });
    await done(robot, 'place_entity', { target });
    console.log(`  ${robot.timeS.toFixed(1)} s: ${cube?.entity_id} (${cube?.state.color}) is on ${pad?.entity_id}.`);
  }
  return robot.hash();
}

/** @returns the result of a skill @throws Error with the robot's own sentence when it fails */
async function done(robot: Simulation, skill: string, input: object) {
  const reply = await robot.invoke(skill, input);
  if (reply.status !== 'done') throw new Error(`${skill}: ${reply.error?.message}`);
  return reply.result;
}
