import type { SceneLayout } from '../../src/protocol/wire/scene.ts';
import { judgeEnds } from './judge-ends.ts';
import { judgePlace } from './judge-place.ts';
import { judgeGoTo, judgeGrip, judgeHead, judgeLookAt, judgePick, judgeVelocity } from './judge-skills.ts';
import { isOnBelt } from './places.ts';
import { apart, planar, type Truth, wrap } from './truth.ts';

/** The deliveries as any client can read them. */
export interface Reported {
  // biome-ignore lint/suspicious/noExplicitAny: entities of the wire, read field by field.
  entities: Record<string, any>;
  /** `extra.sort_benchmark` before the call and after it. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  countsBefore: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  counts: any;
}

/** A question and its answer, and the state before, at the end and just before the end. */
export interface Ended {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: inputs and replies of all skills, read field by field.
  input: any;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  reply: any;
  layout: SceneLayout;
  before: Truth;
  after: Truth;
  window: readonly Truth[];
  /** Path of the base during the action, metres; its turning, radians. */
  travelled: { pathM: number; turnedRad: number };
  /** Whether correct deliveries are collected, according to requests and answers. */
  collects: boolean;
  /** The deliveries on the wire at the end. */
  reported: Reported;
  /** Whether the test itself moved things meanwhile, or another action ran beside it. */
  disturbed: boolean;
}

/** Every skill's judge: a sentence for each false claim. An empty list means that all claims are true. */
export function judge(ended: Ended): string[] {
  const { name, reply } = ended;
  const breaches = [...judgeFailure(ended), ...judgeEnds({ ...ended, besidePlace: false, baseIsAnothers: false })];
  if (reply.status === 'done') {
    if (name === 'pick_entity') breaches.push(...judgePick(ended));
    if (name === 'place_entity') breaches.push(...judgePlace(ended));
    if (name === 'go_to') breaches.push(...judgeGoTo(ended));
    if (name === 'set_head') breaches.push(...judgeHead(ended));
    if (name === 'look_at') breaches.push(...judgeLookAt(ended));
    if (name === 'set_velocity') breaches.push(...judgeVelocity(ended));
  }
  if (name === 'pick_entity' && reply.status !== 'done') breaches.push(...judgeMissedPick(ended));
  if (name !== 'pick_entity' || reply.status !== 'done') breaches.push(...judgeHeld(ended));
  return breaches.map((breach) => `${describe(ended)}: ${breach}`);
}

/**
 * Checks that a cube that counts as held all through the end of an action lies between both palms and moves with them, whatever
 * joint holds it.
 */
export function judgeHeld({ after, window, disturbed }: Pick<Ended, 'after' | 'window' | 'disturbed'>): string[] {
  if (disturbed) return [];
  const kept = after.held.filter((id) => window.every(({ held }) => held.includes(id)));
  return kept.flatMap((id) => judgeGrip(id, window));
}

/** The call and its answer in a line. */
export const describe = ({ name, input, reply }: Pick<Ended, 'name' | 'input' | 'reply'>): string =>
  `${name} ${JSON.stringify(input)} → ${reply.status} ${reply.error ? `${reply.error.code} "${reply.error.message}"` : JSON.stringify(reply.result)}`;

const MOVED_M = 0.012;
const MOVED_RAD = 0.03;

/** P4: compares `attempted` and `world_changed` of a failure with the motion. */
function judgeFailure({ reply, before, after, layout, disturbed, name, travelled }: Ended): string[] {
  if (reply.status !== 'failed') return [];
  const breaches: string[] = [];
  const details = reply.error.details ?? {};
  if (typeof details.attempted !== 'boolean') breaches.push('the failure does not say whether it was attempted');
  if (!['no', 'yes', 'unknown'].includes(details.world_changed))
    breaches.push('the failure does not say whether the world changed');
  if (disturbed || before.world !== after.world) return breaches;
  const moved = [...before.things.values()].filter((thing) => {
    const now = after.things.get(thing.id);
    return now && !isOnBelt(layout, thing) && apart(thing, now) > MOVED_M;
  });
  const base = planar(before.robot, after.robot);
  const turned = Math.abs(wrap(after.robot.yawRad - before.robot.yawRad));
  const heldChanged = before.held.join() !== after.held.join();
  const mayMoveBase = name !== 'set_head';
  const changed = moved.length > 0 || heldChanged || (mayMoveBase && (base > MOVED_M || turned > MOVED_RAD));
  if (details.world_changed === 'no' && changed) {
    breaches.push(
      `says the world did not change; base moved ${base.toFixed(3)} m and ${turned.toFixed(3)} rad, cubes moved: ${moved.map(({ id }) => id).join(', ') || 'none'}, hands ${heldChanged ? 'changed' : 'as before'}`,
    );
  }
  if (details.attempted === false && (changed || travelled.pathM > MOVED_M))
    breaches.push('says it was not attempted, yet things moved');
  return breaches;
}

/** P2: a failed pick leaves the hands unchanged. */
function judgeMissedPick({ input, reply, before, after }: Ended): string[] {
  if (before.world !== after.world || before.held.join() === after.held.join()) return [];
  // Stopped from outside with the named cube already in the hands: it stays there, and the reply reports it.
  const reported: string[] = reply.error.details?.evidence?.held_entity_ids ?? [];
  const stopped = ['CANCELLED', 'DEADLINE_EXCEEDED', 'RUNTIME_SUSPENDED'].includes(reply.error.code);
  if (stopped && reported.join() === after.held.join() && [input.target.entity_id, undefined].includes(after.held[0])) return [];
  if (stopped && reported.join() === after.held.join() && input.target.entity_id === 'cube') return [];
  return [`hands held [${before.held}] before and hold [${after.held}] after a pick that failed`];
}
