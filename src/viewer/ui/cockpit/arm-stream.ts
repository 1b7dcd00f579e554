import { TRAJECTORY_TIMEOUT_MS } from '../../../protocol/wire/limits.ts';
import { type ArmPose, clampedPose, poseTowards } from './arm-pose.ts';
import { type Preset, presetPose } from './presets.ts';

/** 50 packets a second. */
export const STREAM_EVERY_MS = 20;
/** No joint moves faster than this, whichever pose is chosen. */
export const STREAM_RPS = 2.5;

/** The target of the arms: a pose, or a preset that may move. */
export type ArmAim = { kind: 'pose'; pose: ArmPose } | { kind: 'preset'; preset: Preset; chosenAtMs: number };

/** A stream of poses. Plain data; times are milliseconds of one clock. */
export interface ArmStream {
  /** The pose sent last. */
  sent: ArmPose;
  aim: ArmAim;
  sentAtMs: number;
  nextAtMs: number;
}

/** Returns a stream that begins at the measured pose, which is sent first. The next pose follows one period later. */
export function streamFrom(measured: ArmPose, nowMs: number): ArmStream {
  const pose = clampedPose(measured);
  return { sent: pose, aim: { kind: 'pose', pose }, sentAtMs: nowMs, nextAtMs: nowMs + STREAM_EVERY_MS };
}

/** Returns the pose that a stream moves to. */
export const aimedPose = (aim: ArmAim, nowMs: number): ArmPose =>
  aim.kind === 'pose' ? aim.pose : clampedPose(presetPose(aim.preset, nowMs - aim.chosenAtMs));

/** The effect of a clock tick on a stream. */
export type StreamBeat =
  | { kind: 'wait' }
  /** Send `next.sent` now. */
  | { kind: 'send'; next: ArmStream }
  /** The page was busy for so long that the arms are limp: their position must be read before the next pose. */
  | { kind: 'lapsed' };

/** Advances a stream. It keeps the period whatever the timer does, and does not make up for missed packets. */
export function streamBeat(stream: ArmStream, nowMs: number): StreamBeat {
  if (nowMs < stream.nextAtMs) return { kind: 'wait' };
  const sinceMs = nowMs - stream.sentAtMs;
  if (sinceMs >= TRAJECTORY_TIMEOUT_MS) return { kind: 'lapsed' };
  const mostRad = (STREAM_RPS * Math.max(sinceMs, STREAM_EVERY_MS)) / 1000;
  const sent = clampedPose(poseTowards(stream.sent, aimedPose(stream.aim, nowMs), mostRad));
  const nextAtMs = stream.nextAtMs + STREAM_EVERY_MS;
  return {
    kind: 'send',
    next: { ...stream, sent, sentAtMs: nowMs, nextAtMs: nextAtMs <= nowMs ? nowMs + STREAM_EVERY_MS : nextAtMs },
  };
}
