/**
 * Our planner against Recast and Detour, on the same boxes with the same radius. Both have their map ready; the measured work is
 * finding a path.
 */
import RAPIER from '@dimforge/rapier3d-compat';
import { init, NavMeshQuery } from 'recast-navigation';
import { generateSoloNavMesh } from 'recast-navigation/generators';
import { ROBOT_HEIGHT_M, ROBOT_RADIUS_M } from '../../src/protocol/robots/humanoid.ts';
import { type FloorMap, floorMap, isStandable, type Point } from '../../src/simulation/navigation/footprints.ts';
import { planPath } from '../../src/simulation/navigation/planner.ts';
import { createRandom, nextFloat } from '../../src/simulation/random.ts';
import { createWorld, disposeWorld } from '../../src/simulation/world.ts';
import type { Scenario } from '../scenario.ts';

const WAYS_A_ROUND = 20;
const CELL_M = 0.05;

export const planner: Scenario<'planner'> = {
  name: 'planner',
  rounds: { smoke: 1, full: 100 },
  warmUpRounds: { smoke: 0, full: 10 },
  async open() {
    await Promise.all([RAPIER.init(), init()]);
    const world = createWorld(RAPIER, { seed: 1 });
    const map = floorMap(world);
    const query = queryOver(map);
    return {
      async round(index) {
        const random = createRandom(index + 1);
        const ways = Array.from({ length: WAYS_A_ROUND }, () => ({ from: placeOn(map, random), to: placeOn(map, random) }));
        const bareAtMs = performance.now();
        for (const { from, to } of ways) query.computePath(upright(from), upright(to));
        const oursAtMs = performance.now();
        for (const { from, to } of ways) planPath(world, from, to);
        const endedAtMs = performance.now();
        const perWayUs = (ms: number): number => (ms * 1_000) / WAYS_A_ROUND;
        return { warehouse: { bare: perWayUs(oursAtMs - bareAtMs), ours: perWayUs(endedAtMs - oursAtMs) } };
      },
      async close() {
        query.destroy();
        disposeWorld(world);
      },
    };
  },
};

/** Recast's y is up. */
const upright = ({ x, y }: Point) => ({ x, y: 0, z: -y });

function placeOn(map: FloorMap, random: ReturnType<typeof createRandom>): Point {
  const { minX, maxX, minY, maxY } = map.bounds;
  for (;;) {
    const point = { x: minX + (maxX - minX) * nextFloat(random), y: minY + (maxY - minY) * nextFloat(random) };
    if (isStandable(map, point)) return point;
  }
}

/** A mesh of the floor with the footprints as boxes on it. */
function queryOver({ bounds, footprints, radiusM }: FloorMap): NavMeshQuery {
  const positions: number[] = [];
  const indices: number[] = [];
  const quad = (corners: readonly [number, number, number][]): void => {
    const first = positions.length / 3;
    positions.push(...corners.flat());
    indices.push(first, first + 1, first + 2, first, first + 2, first + 3);
  };
  const { minX, maxX, minY, maxY } = bounds;
  quad(cornersOf({ minX: minX - radiusM, maxX: maxX + radiusM, minY: minY - radiusM, maxY: maxY + radiusM }, 0));
  for (const box of footprints) {
    quad(cornersOf(box, ROBOT_HEIGHT_M));
    const [low, high] = [cornersOf(box, 0), cornersOf(box, ROBOT_HEIGHT_M)];
    for (let side = 0; side < 4; side += 1) {
      const next = (side + 1) % 4;
      quad([low[side], low[next], high[next], high[side]] as [number, number, number][]);
    }
  }
  const { success, navMesh } = generateSoloNavMesh(positions, indices, {
    cs: CELL_M,
    ch: CELL_M,
    walkableRadius: Math.ceil(ROBOT_RADIUS_M / CELL_M),
    walkableHeight: Math.ceil(ROBOT_HEIGHT_M / CELL_M),
    walkableClimb: 1,
  });
  if (!success) throw new Error('Recast made no mesh of the floor.');
  return new NavMeshQuery(navMesh);
}

/** Counter-clockwise from above, which Recast treats as a floor. */
function cornersOf(
  { minX, maxX, minY, maxY }: { minX: number; maxX: number; minY: number; maxY: number },
  heightM: number,
): [number, number, number][] {
  return [
    [minX, heightM, -minY],
    [maxX, heightM, -minY],
    [maxX, heightM, -maxY],
    [minX, heightM, -maxY],
  ];
}
