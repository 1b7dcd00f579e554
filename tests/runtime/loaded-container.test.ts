/** A container is carried with its load, and the load does not count as an obstacle. */
import { describe, expect, it } from 'vitest';
import { ROBOT_IDS } from '../../src/protocol/wire/robot.ts';
import { floorMap } from '../../src/simulation/navigation/footprints.ts';
import type { Scenes } from '../../src/simulation/scene.ts';
import * as things from '../../src/simulation/things.ts';
import { scenesOf } from './own-scenes.ts';
import { createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

const table = (name: string, x: number) => ({
  obstacle: { id: name, kind: 'table', position: [x, 0, 0.3], size: [0.5, 1.6, 0.6], pad_id: `${name}_top` },
  pad: {
    id: `${name}_top`,
    role: x > 0 ? 'source' : 'destination',
    position: [x, 0, 0.6],
    size: [0.5, 1.6, 0.6],
    approach: { kind: 'beside', along: 'y', standoff_m: 0.5 },
    slots: [
      [x, -0.4],
      [x, 0.4],
    ],
  },
});
const TABLES = [table('near', 1), table('far', -2.4)];

/** Two tables, and a crate on one of them with a block in it. @param edgeM of the block */
function layOut(edgeM: number): Scenes {
  return scenesOf({
    format: 'simplesim.scene/1',
    scene_id: 'loaded',
    title: 'A crate',
    summary: 'A crate with a block in it.',
    bounds: { min: [-3, -3, 0], max: [3, 3, 3] },
    spawn: { position: [-0.5, 0] },
    obstacles: TABLES.map(({ obstacle }) => obstacle),
    pads: TABLES.map(({ pad }) => pad),
    things: [
      {
        id: 'crate',
        category: 'crate',
        color: 'red',
        shape: { kind: 'container', size: [0.22, 0.2, 0.12], wall_m: 0.015 },
        position: [0.95, 0, 0.66],
        mass_kg: 0.5,
      },
      {
        id: 'block',
        category: 'block',
        color: 'blue',
        shape: { kind: 'box', size: [edgeM, edgeM, edgeM] },
        position: [0.95, 0, 0.615 + edgeM / 2],
        mass_kg: 0.2,
      },
    ],
  });
}

const done = (t: TestRuntime, name: string, input: unknown): void => {
  const reply = t.invoke(name, input);
  expect(reply.error, `${name} ${JSON.stringify(input)}`).toBeUndefined();
};

// The widest fills the crate, and comes to lean over its rim.
const CASES = ROBOT_IDS.flatMap((robotId) => [0.06, 0.1, 0.14].map((edgeM) => [robotId, edgeM] as const));

describe.each(CASES)('%s with a block of %s m in a crate', (robotId, edgeM) => {
  it('the robot puts the loaded crate back, takes it again, and carries it to another table', async () => {
    const t = await createTestRuntime({ robotId, scenes: layOut(edgeM) });
    done(t, 'select_scene', { scene_id: 'loaded' });
    done(t, 'go_to', entity('crate'));
    done(t, 'pick_entity', entity('crate'));
    const { world } = t.core;
    expect(things.list(world).map(({ entityId, held, carried }) => [entityId, held, carried])).toEqual([
      ['crate', true, true],
      ['block', false, true],
    ]);
    expect(floorMap(world).footprints.map(({ id }) => id)).not.toContain('block');
    // The carried things are where the robot is.
    done(t, 'go_to', entity('block'));
    done(t, 'place_entity', { target: { kind: 'pose', pose: { position: [0.95, 0, 0.66] } } });
    expect(things.find(world, 'block')?.carried).toBe(false);
    done(t, 'pick_entity', entity('crate'));
    const intoIts = t.invoke('place_entity', entity('block'));
    expect(intoIts.error?.code).toBe('INVALID_INPUT');
    done(t, 'go_to', entity('far_top'));
    done(t, 'place_entity', entity('far_top'));
    for (const id of ['crate', 'block']) expect(things.find(world, id)?.position[0], id).toBeLessThan(-2);
  });
});
