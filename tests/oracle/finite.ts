import type { RuntimeCore } from '../../src/runtime/core.ts';
import { conveyors } from '../../src/simulation/fixtures.ts';
import { humanoidOf } from '../../src/simulation/humanoid/robot.ts';

/**
 * Reads every number that exists: of the bodies in physics, of their joints, and of the world's records of base, body, cubes,
 * belt and hands. Shares no code with the check that the world makes itself.
 */
export function notFinite({ world }: RuntimeCore): string[] {
  const found: string[] = [];
  const look = (what: string, numbers: Iterable<number>): void => {
    for (const number of numbers) if (!Number.isFinite(number)) found.push(`${what} is ${number}`);
  };
  const xyz = ({ x, y, z }: { x: number; y: number; z: number }) => [x, y, z];
  const names = new Map(world.things.all.map(({ entityId, rigidBody }) => [rigidBody.handle, entityId]));
  names.set(world.base.rigidBody.handle, 'the base');
  world.physics.bodies.forEach((body) => {
    const name = names.get(body.handle);
    // Physics removes things with numbers that it cannot compute; palms are outside of it while no cube is near.
    if (name !== undefined && !body.isEnabled()) found.push(`${name} is no longer simulated`);
    if (body.isFixed() || body.isSleeping()) return;
    const { w, ...vector } = { ...body.rotation() };
    look(`a body (${name ?? body.handle})`, [
      ...xyz(body.translation()),
      ...xyz(vector),
      w,
      ...xyz(body.linvel()),
      ...xyz(body.angvel()),
    ]);
  });
  const { base, things, grasp } = world;
  const body = humanoidOf(world);
  walk('base', { command: base.command, reference: base.reference, pose: base.pose, velocity: base.velocity }, look);
  const { jointPositions, palmCentres, frames, gait, manipulator, head, jointArms } = body;
  walk('body', { base: body.base, jointPositions, palmCentres, frames, gait, manipulator, head, jointArms }, look);
  for (const { entityId, position, rotation, linearSpeedMps, angularSpeedRps } of things.all)
    walk(entityId, { position, rotation, linearSpeedMps, angularSpeedRps }, look);
  for (const { speedMps, travelM } of conveyors(world)) look('the belt', [speedMps, travelM]);
  if (grasp.hold) walk('the hold', { target: grasp.hold.target, slipM: grasp.hold.slipM, spanM: grasp.hold.spanM }, look);
  look('time', [world.step, world.simTimeS]);
  return found;
}

function walk(what: string, value: unknown, look: (what: string, numbers: Iterable<number>) => void): void {
  if (typeof value === 'number') look(what, [value]);
  else if (value instanceof Float64Array) look(what, value);
  else if (typeof value === 'object' && value !== null)
    for (const [key, inner] of Object.entries(value)) if (typeof inner !== 'string') walk(`${what}.${key}`, inner, look);
}
