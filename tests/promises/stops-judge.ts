import type { Reply } from '../runtime/test-runtime.ts';
import { baseApart, cubesMoved, handsMoved, headApart, type Motion, type Sight } from './stops-watch.ts';

/** Promises P4 and P7 of one ended action, compared with the motion of the bodies. Every breach is a sentence. */

/** P7, according to the contract. */
const STOP_STEPS = 60;
const STOPPED_MPS = 0.02;
const STOPPED_RPS = 0.05;

/**
 * Allowed motion in the second after the end: noise of a standing body, and feet and swinging arms that come to rest after a
 * walk.
 */
const STANDS_M = 0.006;
const STANDS_RAD = 0.02;
const HANDS_REST_M = 0.03;
const ARMS_COME_BACK_M = 0.1;
const ARMS_SWING_OUT_M = 0.2;
const HEAD_RESTS_RAD = 0.03;

export interface Ended {
  what: string;
  skill: string;
  reply: Reply;
  /** The world at acceptance, at the reply, and every reading of the second after it. */
  before: Sight;
  atEnd: Sight;
  after: readonly Sight[];
  /** The motion of the step in which it answered, and of those after. */
  motionAtEnd: Motion | null;
  motionsAfter: readonly Motion[];
  /** Steps from the request to stop until the reply; null if the action ended without one. */
  stopSteps: number | null;
  /** Steps from acceptance to the reply. */
  steps: number;
  /** The motion of the arms: work, the return from a displaced pose after an ended action, or the swing of a walk. */
  arms: 'worked' | 'came back' | 'swung';
  headMoved: boolean;
}

export function judgeEnd(ended: Ended): string[] {
  const say = (text: string): string => `${ended.what}: ${text}`;
  return [...stopInTime(ended), ...stillAtEnd(ended), ...stillAfter(ended), ...changeReported(ended)].map(say);
}

function stopInTime({ stopSteps }: Ended): string[] {
  return stopSteps !== null && stopSteps > STOP_STEPS ? [`answered ${stopSteps} steps after the request, beyond 0.5 s`] : [];
}

const stillMoving = ({ reply }: Ended): readonly string[] => reply.error?.details?.still_moving ?? [];

function stillAtEnd(ended: Ended): string[] {
  const { motionAtEnd, steps } = ended;
  if (!motionAtEnd || steps === 0) return [];
  const found: string[] = [];
  const moving = stillMoving(ended);
  const { linearMps, yawRateRps, headRps } = motionAtEnd;
  const baseMoves = linearMps >= STOPPED_MPS || yawRateRps >= STOPPED_RPS;
  // A replaced action may be about to move: the command is there, the speed not yet.
  const saysTooMuch = moving.includes('base') && !ended.reply.error?.details?.superseded_by;
  if (baseMoves ? !moving.includes('base') : saysTooMuch) {
    found.push(`still_moving is [${moving}] at ${linearMps.toFixed(3)} m/s and ${yawRateRps.toFixed(3)} rad/s`);
  }
  if (ended.headMoved && headRps >= STOPPED_RPS && !moving.includes('head')) {
    found.push(`the head still turns at ${headRps.toFixed(3)} rad/s`);
  }
  return found;
}

function stillAfter(ended: Ended): string[] {
  const { after, atEnd, motionsAfter, arms } = ended;
  const found: string[] = [];
  const moving = stillMoving(ended);
  const most = (pick: (sight: Sight) => number): number => Math.max(0, ...after.map(pick));
  if (!moving.includes('base')) {
    const metres = most((sight) => baseApart(sight, atEnd).metres);
    const radians = most((sight) => baseApart(sight, atEnd).radians);
    if (metres > STANDS_M || radians > STANDS_RAD) {
      found.push(`the base went on by ${metres.toFixed(3)} m and ${radians.toFixed(3)} rad after the end`);
    }
    const fast = motionsAfter.find(({ linearMps, yawRateRps }) => linearMps >= STOPPED_MPS || yawRateRps >= STOPPED_RPS);
    if (fast)
      found.push(`the base moved again at ${fast.linearMps.toFixed(3)} m/s, ${fast.yawRateRps.toFixed(3)} rad/s after the end`);
  }
  if (!moving.includes('arms')) {
    const hands = most((sight) => handsMoved(sight, atEnd));
    const limits = { worked: HANDS_REST_M, 'came back': ARMS_COME_BACK_M, swung: ARMS_SWING_OUT_M };
    if (hands > limits[arms]) found.push(`a hand went on by ${hands.toFixed(3)} m after the end`);
  }
  // A head without a target looks where the hands worked, and returns when they are done.
  const looksByItself = ended.stopSteps === null && !ended.headMoved;
  if (!moving.includes('head') && !looksByItself) {
    const head = most((sight) => headApart(sight, atEnd));
    if (head > HEAD_RESTS_RAD) found.push(`the head went on by ${head.toFixed(3)} rad after the end`);
  }
  return found;
}

/** P4: reported as measured. Values between the two limits may be reported either way. */
function changeReported({ reply, before, atEnd, steps, skill }: Ended): string[] {
  const details = reply.error?.details;
  if (!details) return [];
  const found: string[] = [];
  // A deadline that passes before the first step ends the action in that step's time, with none spent on it.
  const isSure = steps !== 1 || reply.error.code !== 'DEADLINE_EXCEEDED';
  if (isSure && details.attempted !== steps > 0) found.push(`attempted is ${details.attempted} after ${steps} steps`);
  const base = baseApart(before, atEnd);
  const hands = handsMoved(before, atEnd);
  const head = headApart(before, atEnd);
  const cubes = cubesMoved(before, atEnd);
  const held = before.truth.held.join() !== atEnd.truth.held.join();
  const ofHead = skill === 'set_head' || skill === 'look_at';
  const ofBase = skill !== 'set_head';
  const ofHands = skill === 'pick_entity' || skill === 'place_entity';
  const surely =
    (ofBase && (base.metres > 0.01 || base.radians > 0.03)) ||
    (ofHands && (hands > 0.06 || held)) ||
    (ofHead && head > 0.03) ||
    (ofBase && !ofHead && cubes > 0.012);
  const nothing = base.metres < 0.001 && base.radians < 0.0015 && hands < 0.01 && head < 0.003 && cubes < 0.001 && !held;
  const seen = `base ${base.metres.toFixed(4)} m ${base.radians.toFixed(4)} rad, hands ${hands.toFixed(4)} m, head ${head.toFixed(4)} rad, cubes ${cubes.toFixed(4)} m`;
  if (surely && details.world_changed !== 'yes') found.push(`world_changed is ${details.world_changed}, but ${seen}`);
  if (nothing && details.world_changed === 'yes') found.push(`world_changed is yes, but ${seen}`);
  return found;
}
