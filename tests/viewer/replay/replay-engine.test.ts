import { expect, test } from 'vitest';
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';
import { builtInScene, placeOf } from '../../../src/simulation/scene.ts';
import { createReplayEngine, type ReplayPort } from '../../../src/viewer/engine/replay/replay-engine.ts';
import type { FilmFrame, FromReplay, ProofFacts } from '../../../src/viewer/engine/replay/replay-messages.ts';

const scene = builtInScene('hall');
if (!scene) throw new Error('there is no hall');
const PLACE = placeOf(scene, 'humanoid');
const FACTS: ProofFacts = {
  format: 'simplesim.proof/2',
  product_version: '1.0.0',
  sim_protocol: 1,
  engine: '0.21.0',
  scene: { id: 'hall', sha256: '0'.repeat(64) },
  seed: 1,
  robot: 'humanoid',
  profile: 'simulator',
  started_at_ms: 1_760_000_000_000,
  ids: 'run',
  callers: [],
  steps: 240,
  end_hash: '0'.repeat(16),
  sha256: '0'.repeat(64),
  inputCount: 0,
};
const UPRIGHT = [0, 0, 0, 1] as const;
const stateAt = (step: number): RenderState => {
  const pose = { position: [step / 1_000, 0, 0.8] as const, orientation: UPRIGHT };
  return {
    step,
    simTimeS: step / 120,
    rootPose: pose,
    jointPositions: [0],
    things: [],
    collected: [],
    cameras: { pov: { ...pose, verticalFovDeg: 60 } },
    colourMode: 'natural',
    fixtures: [],
  };
};
const frame = (step: number): FilmFrame => ({
  step,
  state: stateAt(step),
  overlay: { path: [], goal: null, targetEntityId: null },
});

/** @param readingMs the time between two readings of the clock */
function opened({ readingMs = 0 } = {}) {
  let nowMs = 5_000;
  let report = (): void => {};
  let send = (_message: FromReplay): void => {};
  const ended: string[] = [];
  const engine = createReplayEngine({
    openWorker: (): ReplayPort => ({
      start(proof, onMessage) {
        send = onMessage;
        ended.push(`started ${proof}`);
      },
      terminate: () => void ended.push('ended'),
    }),
    nowMs() {
      nowMs += readingMs;
      return nowMs;
    },
    every(_, task) {
      report = task;
      return () => undefined;
    },
  });
  const begin = (): void => {
    engine.open('run.json', 'a proof');
    send({ kind: 'begun', facts: FACTS });
    send({ kind: 'place', fromStep: 0, place: PLACE });
  };
  return {
    engine,
    begin,
    ended,
    send: (message: FromReplay) => send(message),
    after(ms: number) {
      nowMs += ms;
      report();
    },
    shownX: () => engine.frames.latest()?.rootPose.position[0],
  };
}

test('a run is shown at its own pace, also between its pictures', () => {
  const { engine, begin, send, after, shownX } = opened();
  begin();
  send({ kind: 'frames', frames: [frame(0), frame(120), frame(240)], actions: [] });
  expect(engine.store.getState().phase).toBe('live');
  after(500);
  expect(engine.replay.getState().positionStep).toBeCloseTo(60);
  expect(shownX()).toBeCloseTo(0.06);
  engine.setSpeed(2);
  after(500);
  expect(engine.replay.getState().positionStep).toBeCloseTo(180);
});

test('the last picture is the last step, although time passes between two readings of the clock', () => {
  const { engine, begin, send, after } = opened({ readingMs: 0.1 });
  begin();
  engine.setSpeed(16);
  send({ kind: 'frames', frames: [frame(0), frame(240)], actions: [] });
  send({ kind: 'judged', judgement: { is: 'true', steps: 240 }, verdict: null, missing: [] });
  after(5_000);
  expect(engine.replay.getState()).toMatchObject({ positionStep: 240, isPlaying: false });
});

test('playback waits for a picture that is not computed yet, pauses at the end of the run, and starts again on play', () => {
  const { engine, begin, send, after } = opened();
  begin();
  send({ kind: 'frames', frames: [frame(0), frame(60)], actions: [] });
  after(5_000);
  expect(engine.replay.getState()).toMatchObject({ positionStep: 60, isPlaying: true });
  send({ kind: 'frames', frames: [frame(240)], actions: [] });
  after(500);
  expect(engine.replay.getState().positionStep).toBeCloseTo(120);
  send({ kind: 'judged', judgement: { is: 'true', steps: 240 }, verdict: null, missing: [] });
  after(5_000);
  after(100);
  expect(engine.replay.getState()).toMatchObject({ positionStep: 240, isPlaying: false });
  engine.play();
  after(500);
  expect(engine.replay.getState().positionStep).toBeCloseTo(60);
});

test('a paused run is still: it shows the same picture object at any position', () => {
  const { engine, begin, send, after } = opened();
  begin();
  send({ kind: 'frames', frames: [frame(0), frame(240)], actions: [] });
  engine.pause();
  engine.seek(100);
  const shown = engine.frames.latest();
  after(3_000);
  expect(engine.frames.latest()).toBe(shown);
  engine.seek(1e9);
  expect(engine.replay.getState().positionStep).toBe(240);
  engine.seek(-5);
  expect(engine.replay.getState().positionStep).toBe(0);
});

test('a different file ends the previous worker, whose late messages change nothing', () => {
  const { engine, begin, send, ended } = opened();
  begin();
  const late = send;
  send({ kind: 'frames', frames: [frame(0)], actions: [] });
  engine.refuse('big.json', 'This file is too large.');
  late({ kind: 'judged', judgement: { is: 'true', steps: 1 }, verdict: null, missing: [] });
  expect(ended).toEqual(['started a proof', 'ended']);
  expect(engine.replay.getState()).toMatchObject({ fileName: 'big.json', problem: 'This file is too large.', judgement: null });
  expect(engine.store.getState().phase).toBe('gate');
});
