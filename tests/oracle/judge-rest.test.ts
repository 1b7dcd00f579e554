/**
 * The judge must detect the robot's own motion after an end, and no fault in the effects of a falling or lost cube on the robot.
 */
import { describe, expect, it } from 'vitest';
import { entity, startAt, type TestRuntime } from '../runtime/test-runtime.ts';
import { judgeRest } from './judge-rest.ts';
import type { Truth } from './truth.ts';
import { createWitness, type Witness } from './witness.ts';

const ENDED = { name: 'set_head', reply: { status: 'done' }, window: [] as readonly Truth[] };

/** A robot that stands, and the readings of it in some steps. */
async function standing(): Promise<{ t: TestRuntime; witness: Witness; watch: (steps: number) => Truth[] }> {
  const t = await startAt(0.94, -1.8, 0);
  const witness = createWitness(t.core);
  const watch = (steps: number) =>
    Array.from({ length: steps }, () => {
      t.advance();
      witness.look();
      return witness.now();
    });
  return { t, witness, watch };
}

describe('a base after an end', () => {
  it('a base that stands after an end is accepted', async () => {
    const { witness, watch } = await standing();
    expect(judgeRest(ENDED, witness.now(), watch(60))).toEqual([]);
  });

  it('a base that continues to move after an end is detected', async () => {
    const { t, witness, watch } = await standing();
    t.core.world.base.rigidBody.setLinvel({ x: 0, y: 0.06, z: 0 }, true);
    expect(judgeRest(ENDED, witness.now(), watch(60)).join()).toMatch(/the base moves on/);
  });

  /** The base moves at a speed for a step, while a cube that touches it has lost this much energy in it. */
  async function pushedBy(mps: number, lostJ: number, touching: string[]): Promise<string[]> {
    const { witness, watch } = await standing();
    const end = witness.now();
    const [first, second, ...rest] = watch(30);
    const thing = first?.things.get('cube_0');
    if (!first || !second || !thing) throw new Error('no readings');
    const fallen = { ...thing, energyJ: thing.energyJ - lostJ };
    const later = [first, second, ...rest].map((truth, index) => {
      const robot = { ...truth.robot, touching, linearMps: index === 1 ? mps : truth.robot.linearMps };
      return { ...truth, robot, things: new Map([...truth.things, ['cube_0', index === 0 ? thing : fallen]]) };
    });
    return judgeRest(ENDED, end, later);
  }

  it('a base may be pushed by a cube that falls along it, as fast as the lost energy allows', async () => {
    // 40 kg at 0.038 m/s have 0.029 J.
    expect(await pushedBy(0.038, 0.043, ['cube_0'])).toEqual([]);
    expect((await pushedBy(0.06, 0.043, ['cube_0'])).join()).toMatch(/the base moves on: 0.060 m/);
    expect((await pushedBy(0.038, 0.043, [])).join()).toMatch(/the base moves on/);
    expect((await pushedBy(0.038, 0, ['cube_0'])).join()).toMatch(/the base moves on/);
  });
});

describe('hands that lost a cube to a blow', () => {
  /** Strikes the held cube and reads the answer of another action just afterwards. */
  async function struck(): Promise<{ ended: typeof ENDED; end: Truth; later: Truth[] }> {
    const { t, witness, watch } = await standing();
    expect(t.invoke('pick_entity', entity('cube_0')).status).toBe('done');
    watch(140);
    t.core.world.things.byId.get('cube_0')?.rigidBody.applyImpulse({ x: 0, y: 0, z: -6 }, true);
    while (witness.now().held.length > 0) watch(1);
    const window = [...witness.window()];
    return { ended: { ...ENDED, window }, end: witness.now(), later: watch(140) };
  }
  const turned = (truth: Truth, joint: number, byRad: number): Truth => {
    const jointPositions = truth.robot.jointPositions.map((rad, index) => (index === joint ? rad + byRad : rad));
    return { ...truth, robot: { ...truth.robot, jointPositions } };
  };

  it('the hands open after the end of another action, and then rest', async () => {
    const { ended, end, later } = await struck();
    expect(judgeRest(ended, end, later)).toEqual([]);
    expect(later.at(-1)?.robot.palmSpanM).toBeGreaterThan(end.robot.palmSpanM + 0.05);
  });

  it('a fault of the hands is detected if nothing was lost, if they continue to move, and if they close again', async () => {
    const { ended, end, later } = await struck();
    expect(judgeRest(ENDED, { ...end, held: [] }, later).join()).toMatch(/joint \d+ moves on/);
    const late = later.map((truth, index) => (index > 100 ? turned(truth, 16, 0.3) : truth));
    expect(judgeRest(ended, end, late).join()).toMatch(/joint 16 moves on within 102 steps/);
    const closing = later.map((truth, index) =>
      index > 40 ? { ...truth, robot: { ...truth.robot, palmSpanM: truth.robot.palmSpanM - 0.05 } } : truth,
    );
    expect(judgeRest(ended, end, closing).join()).toMatch(/close again/);
    const head = later.map((truth, index) => (index > 10 ? turned(truth, 23, 0.3) : truth));
    expect(judgeRest(ended, end, head).join()).toMatch(/joint 23 moves on/);
  });
});
