/** The cockpit’s rules, one by one: what is sent, in which order, and until when. */
import { describe, expect, it } from 'vitest';
import {
  clampedPose,
  JOINT_TEXTS,
  NUDGE_RAD,
  nextJoint,
  nudgedPose,
  POSE_LIMIT_RAD,
  poseGapRad,
  poseTowards,
  STANDING_POSE,
} from '../../src/viewer/ui/cockpit/arm-pose.ts';
import { type ArmStream, STREAM_EVERY_MS, STREAM_RPS, streamBeat, streamFrom } from '../../src/viewer/ui/cockpit/arm-stream.ts';
import { cockpitKeyCommand } from '../../src/viewer/ui/cockpit/cockpit-keys.ts';
import { createPadButtons, padCommand, readCockpitPad } from '../../src/viewer/ui/cockpit/cockpit-pad.ts';
import { beginLettingGo, isLetGo, letGoStep, withAnotherTry, withReply } from '../../src/viewer/ui/cockpit/letting-go.ts';
import { PRESETS, presetPose } from '../../src/viewer/ui/cockpit/presets.ts';
import { createRoundTrips } from '../../src/viewer/ui/cockpit/round-trips.ts';
import { controlState } from './rcw-examples.ts';

/** The joint order of the contract of set_upper_body. */
const STANDING = { r_arm: [0.35, 0.18, 0, -0.87, 0], l_arm: [-0.35, -0.18, 0, 0.87, 0] };
const ZERO = { r_arm: [0, 0, 0, 0, 0], l_arm: [0, 0, 0, 0, 0] };

describe('the cockpit clamps to ±1.5 rad', () => {
  it('the cockpit clamps any measured or requested pose to ±1.5 rad', () => {
    const wild = { r_arm: [9, -9, 1.5, -1.5001, 0], l_arm: [-2.4, 0.1, 0, 0, 1.7] };
    expect(clampedPose(wild)).toEqual({ r_arm: [1.5, -1.5, 1.5, -1.5, 0], l_arm: [-1.5, 0.1, 0, 0, 1.5] });
    expect(POSE_LIMIT_RAD).toBe(1.5);
  });

  it('the cockpit clamps every preset at every moment to ±1.5 rad', () => {
    for (const preset of PRESETS)
      for (let ms = 0; ms < 3_000; ms += 7) {
        const pose = presetPose(preset, ms);
        expect([...pose.r_arm, ...pose.l_arm].every((rad) => Math.abs(rad) <= 1.5)).toBe(true);
        expect([pose.r_arm.length, pose.l_arm.length]).toEqual([5, 5]);
      }
  });
});

describe('presets, arm, joint and nudge', () => {
  const key = (code: string, name = code, repeat = false) => ({ code, key: name, repeat });

  it('the keys 1 to 5 select Stand, Reach, Wave, Tuck and Pick, in arm mode only', () => {
    const names = ['Stand', 'Reach', 'Wave', 'Tuck', 'Pick'];
    names.forEach((preset, index) => {
      expect(cockpitKeyCommand(key(`Digit${index + 1}`, String(index + 1)), true)).toEqual({ kind: 'preset', preset });
      expect(cockpitKeyCommand(key(`Digit${index + 1}`, String(index + 1)), false)).toBeNull();
    });
    expect(cockpitKeyCommand(key('Digit6', '6'), true)).toBeNull();
    expect(presetPose('Stand')).toEqual(STANDING);
    expect(STANDING_POSE).toEqual(STANDING);
  });

  it('the key M changes the mode from either mode, and only once while it is held down', () => {
    expect(cockpitKeyCommand(key('KeyM', 'm'), false)).toEqual({ kind: 'toggle' });
    expect(cockpitKeyCommand(key('KeyM', 'M'), true)).toEqual({ kind: 'toggle' });
    expect(cockpitKeyCommand(key('KeyM', 'm', true), true)).toBeNull();
  });

  it('R and L choose the arm, left and right cycle the joint, up and down nudge it', () => {
    expect(cockpitKeyCommand(key('KeyR', 'r'), true)).toEqual({ kind: 'arm', side: 'r_arm' });
    expect(cockpitKeyCommand(key('KeyL', 'l'), true)).toEqual({ kind: 'arm', side: 'l_arm' });
    expect(cockpitKeyCommand(key('KeyR', 'r'), false)).toBeNull();
    expect(cockpitKeyCommand(key('ArrowLeft'), true)).toEqual({ kind: 'joint', by: -1 });
    expect(cockpitKeyCommand(key('ArrowUp'), true)).toEqual({ kind: 'nudge', by: 1 });
    expect(cockpitKeyCommand(key('ArrowUp'), false)).toBeNull();
  });

  it('joints cycle in the order of the contract, within their arm', () => {
    let chosen = { side: 'l_arm' as const, joint: 0 };
    const seen: number[] = [];
    for (let press = 0; press < 6; press += 1) {
      seen.push(chosen.joint);
      chosen = { side: 'l_arm', joint: nextJoint(chosen, 1).joint };
    }
    expect(seen).toEqual([0, 1, 2, 3, 4, 0]);
    expect(nextJoint({ side: 'r_arm', joint: 0 }, -1)).toEqual({ side: 'r_arm', joint: 4 });
    expect(JOINT_TEXTS).toEqual(['Shoulder pitch', 'Shoulder roll', 'Shoulder yaw', 'Elbow', 'Wrist yaw']);
  });

  it('a nudge is 0.05 rad of one joint, and stops at the limit', () => {
    let pose = ZERO as { r_arm: readonly number[]; l_arm: readonly number[] };
    for (let press = 0; press < 40; press += 1) pose = nudgedPose(pose, { side: 'l_arm', joint: 3 }, NUDGE_RAD);
    expect(pose).toEqual({ r_arm: [0, 0, 0, 0, 0], l_arm: [0, 0, 0, 1.5, 0] });
    expect(nudgedPose(ZERO, { side: 'r_arm', joint: 1 }, -0.05).r_arm).toEqual([0, -0.05, 0, 0, 0]);
  });

  it('the preset Wave swings the right forearm and keeps the left arm still', () => {
    const poses = [0, 300, 600, 900].map((ms) => presetPose('Wave', ms));
    const elbows = poses.map(({ r_arm }) => r_arm[3] ?? 0);
    expect(Math.max(...elbows) - Math.min(...elbows)).toBeGreaterThan(0.5);
    expect(new Set(poses.map(({ l_arm }) => l_arm.join()))).toEqual(new Set([STANDING.l_arm.join()]));
  });
});

describe('the pose is streamed at 50 Hz', () => {
  /** Runs a stream with a timer that fires at the given moments. */
  function stream(ticksMs: readonly number[], change: Partial<ArmStream> = {}) {
    let now: ArmStream = { ...streamFrom(ZERO, 0), ...change };
    const sent: { atMs: number; pose: ArmStream['sent'] }[] = [];
    let lapsed = 0;
    for (const atMs of ticksMs) {
      const beat = streamBeat(now, atMs);
      if (beat.kind === 'lapsed') lapsed += 1;
      if (beat.kind !== 'send') continue;
      now = beat.next;
      sent.push({ atMs, pose: now.sent });
    }
    return { sent, lapsed };
  }
  const ticks = (everyMs: number, untilMs: number) =>
    Array.from({ length: Math.floor(untilMs / everyMs) }, (_, i) => (i + 1) * everyMs);

  it('the pose is streamed at 50 Hz with any timer, and without a burst after a late tick', () => {
    for (const everyMs of [1, 5, 7, 10, 13]) expect(stream(ticks(everyMs, 2_000)).sent.length).toBeGreaterThanOrEqual(98);
    for (const everyMs of [1, 5, 7, 10, 13]) expect(stream(ticks(everyMs, 2_000)).sent.length).toBeLessThanOrEqual(101);
    const late = stream([20, 40, 190, 191, 192, 200, 210]).sent.map(({ atMs }) => atMs);
    expect(late).toEqual([20, 40, 190, 210]);
  });

  it('no joint is sent faster than its limit, and every pose arrives', () => {
    const { sent } = stream(ticks(10, 2_000), { aim: { kind: 'pose', pose: STANDING } });
    const steps = sent.slice(1).map(({ pose }, index) => poseGapRad(pose, sent[index]?.pose ?? pose));
    expect(Math.max(...steps)).toBeLessThanOrEqual((STREAM_RPS * STREAM_EVERY_MS) / 1000 + 1e-9);
    expect(sent.at(-1)?.pose).toEqual(STANDING);
    expect(poseTowards(ZERO, STANDING, 10)).toEqual(STANDING);
  });

  it('a page that was busy for 200 ms does not resume its old pose, because the arms are limp by then', () => {
    expect(stream([20, 40, 239]).lapsed).toBe(0);
    expect(stream([20, 40, 240])).toMatchObject({ lapsed: 1 });
  });
});

describe('a release is complete when reply and state both confirm it', () => {
  const seen = (wallTimeMs: number, change: Parameters<typeof controlState>[0] = {}) => ({
    control: controlState(change),
    wallTimeMs,
  });

  it('a state from before the reply does not confirm a release', () => {
    const going = withReply(beginLettingGo(0, 1_000), 1_050);
    expect(isLetGo(beginLettingGo(0, 1_000), seen(9_000))).toBe(false);
    expect(isLetGo(going, seen(1_049))).toBe(false);
    expect(isLetGo(going, seen(1_050))).toBe(true);
    expect(isLetGo(going, seen(2_000, { velocity_holds: true }))).toBe(false);
    expect(isLetGo(going, seen(2_000, { upper_body: { packet_age_ms: 10 } }))).toBe(false);
    expect(isLetGo(going, null)).toBe(false);
  });

  it('a release is repeated four times a second until it is confirmed, and soon the stop is pressed too', () => {
    let going = beginLettingGo(0, 1_000);
    const steps: string[] = [];
    for (let nowMs = 0; nowMs <= 1_250; nowMs += 50) {
      const step = letGoStep(going, nowMs);
      if (step === 'wait') continue;
      steps.push(`${nowMs} ${step}`);
      going = withAnotherTry(going, nowMs);
    }
    expect(steps).toEqual([
      '250 send-again',
      '500 send-again',
      '750 send-again-and-stop',
      '1000 send-again-and-stop',
      '1250 send-again-and-stop',
    ]);
  });
});

describe('a gamepad in the cockpit', () => {
  const pad = (...down: number[]) => ({
    id: 'Pad',
    index: 0,
    connected: true,
    mapping: 'standard',
    axes: [0, -1, 0, 0],
    buttons: Array.from({ length: 17 }, (_, index) => ({ pressed: down.includes(index) })),
  });

  it('the left stick walks and B stops; Y, the right shoulder and the cross pad move the arms', () => {
    expect(readCockpitPad(pad(1))).toMatchObject({ stop: true, intent: { forward: 1 } });
    expect([...readCockpitPad(pad(3, 12)).pressed]).toEqual(['y', 'up']);
    expect(padCommand('y', false, 'r_arm')).toEqual({ kind: 'toggle' });
    expect(padCommand('rightShoulder', true, 'r_arm')).toEqual({ kind: 'arm', side: 'l_arm' });
    expect(padCommand('left', true, 'r_arm')).toEqual({ kind: 'joint', by: -1 });
    expect(padCommand('up', true, 'r_arm')).toEqual({ kind: 'nudge', by: 1 });
    expect(padCommand('up', false, 'r_arm')).toBeNull();
  });

  it('a gamepad acts when a button goes down; only a nudge repeats while it is held', () => {
    const buttons = createPadButtons();
    const acted: string[] = [];
    for (let nowMs = 0; nowMs <= 600; nowMs += 25)
      acted.push(...buttons.due(new Set(['up', 'left'] as const), true, nowMs).map((name) => `${nowMs} ${name}`));
    expect(acted).toEqual(['0 up', '0 left', '400 up', '500 up', '600 up']);
  });

  it('a button that went down while the gamepad was not read does not count as pressed later', () => {
    const buttons = createPadButtons();
    expect(buttons.due(new Set(['y'] as const), false, 0)).toEqual([]);
    expect(buttons.due(new Set(['y'] as const), true, 25)).toEqual([]);
    expect(buttons.due(new Set<'y'>(), true, 50)).toEqual([]);
    expect(buttons.due(new Set(['y'] as const), true, 75)).toEqual(['y']);
  });
});

describe('the round trip', () => {
  it('the round trip is the median and the maximum of the last seconds, and requests a probe once in a silence', () => {
    const trips = createRoundTrips();
    expect(trips.read(0)).toBeNull();
    for (const [atMs, tookMs] of [
      [0, 900],
      [4_000, 5],
      [4_100, 40],
      [4_200, 6],
    ] as const)
      trips.add(tookMs, atMs);
    expect(trips.read(4_300)).toEqual({ medianMs: 6, worstMs: 40 });
    expect(trips.read(4_300)).toBe(trips.read(4_301));
    expect([trips.isSilent(5_000, 2_000), trips.isSilent(6_300, 2_000), trips.isSilent(6_400, 2_000)]).toEqual([
      false,
      true,
      false,
    ]);
  });
});
