import RAPIER from '@dimforge/rapier3d-compat';
import { describe, expect, it } from 'vitest';
import type { Obstacle, Pad } from '../../src/protocol/wire/scene.ts';
import { replaceWorld } from '../../src/runtime/core.ts';
import { builtInScene } from '../../src/simulation/scene.ts';
import type { PadApproach, SceneDefinition } from '../../src/simulation/scene-definition.ts';
import { createWorldOf, disposeWorld } from '../../src/simulation/world.ts';
import { robotTruth } from './oracle.ts';
import { createTestRuntime, entity, type TestRuntime } from './test-runtime.ts';

const TABLE = { x: -2.6, y: -3.9, lengthM: 1.2, depthM: 0.4, heightM: 0.5 };
const STANDOFF_M = 0.55;

/** The warehouse with a table for a pad in an aisle, its long side along x. */
function withTable(approach: PadApproach | null): SceneDefinition {
  const warehouse = builtInScene('warehouse');
  if (!warehouse) throw new Error('There is no warehouse.');
  const { x, y, lengthM, depthM, heightM } = TABLE;
  const table: Obstacle = {
    kind: 'box',
    obstacle_id: 'table',
    pose: { position: [x, y, heightM / 2] },
    size: [lengthM, depthM, heightM],
  };
  const pad: Pad = { pad_id: 'pad_T', position: [x, y, heightM], size: [lengthM, depthM, heightM], role: 'destination' };
  const { layout } = warehouse;
  return {
    ...warehouse,
    layout: { ...layout, obstacles: [...layout.obstacles, table], pads: [...layout.pads, pad] },
    approaches: { ...warehouse.approaches, ...(approach ? { pad_T: approach } : {}) },
  };
}

async function runtimeIn(scene: SceneDefinition): Promise<TestRuntime> {
  const t = await createTestRuntime();
  disposeWorld(t.core.world);
  replaceWorld(t.core, createWorldOf(RAPIER, scene, { seed: 1, startPose: { x: -2.6, y: -6.6, yawRad: 0 } }));
  return t;
}

describe('the scene decides how a robot stands before a pad', () => {
  it('a robot stands beside a long pad at its standoff, facing it, as far as it extends', async () => {
    const t = await runtimeIn(withTable({ kind: 'beside', along: 'x', standoffM: STANDOFF_M }));
    expect(t.invoke('go_to', entity('pad_T')).status).toBe('done');
    const { position, yawRad } = robotTruth(t.core);
    expect(Math.abs(position[1] - TABLE.y)).toBeCloseTo(STANDOFF_M, 1);
    expect(Math.abs(position[0] - TABLE.x)).toBeLessThan(TABLE.lengthM / 2 + 0.05);
    expect(Math.sin(yawRad) * Math.sign(TABLE.y - position[1])).toBeGreaterThan(0.99);
  });

  it('a robot stands at the middle of one of four sides', async () => {
    const t = await runtimeIn(withTable({ kind: 'four-sides', standoffM: 0.9 }));
    expect(t.invoke('go_to', entity('pad_T')).status).toBe('done');
    const { position } = robotTruth(t.core);
    const [offX, offY] = [Math.abs(position[0] - TABLE.x), Math.abs(position[1] - TABLE.y)].sort((a, b) => a - b);
    expect(offX).toBeLessThan(0.06);
    expect(offY).toBeCloseTo(0.9, 1);
  });

  it('without an approach in the scene, a robot stands wherever there is room within reach', async () => {
    const t = await runtimeIn(withTable(null));
    expect(t.invoke('go_to', entity('pad_T')).status).toBe('done');
    const { position } = robotTruth(t.core);
    expect(Math.hypot(position[0] - TABLE.x, position[1] - TABLE.y)).toBeLessThan(1.2);
  });
});
