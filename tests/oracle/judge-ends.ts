import { planar, type Truth } from './truth.ts';

/**
 * The rules for every end of any skill: a cube that has left the hands is reported, and a robot that was stopped stands still.
 * Read from the bodies, independent of the runtime's own observations.
 */

export const STOPPED_MPS = 0.02;
export const STOPPED_RPS = 0.05;
/** Between the rounded place in a reply and the body. */
const PLACE_M = 0.002;

export const stands = ({ robot }: Truth): boolean => robot.linearMps < STOPPED_MPS && robot.yawRateRps < STOPPED_RPS;

export interface EndedCall {
  name: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies of all skills, read field by field.
  reply: any;
  before: Truth;
  after: Truth;
  /** Whether a place_entity ran at any moment of it. Then another action put down the held thing. */
  besidePlace: boolean;
  /** Whether another action moves the base at its end. */
  baseIsAnothers: boolean;
}

export function judgeEnds(ended: EndedCall): string[] {
  return [...judgeLost(ended), ...judgeStanding(ended)].map((breach) => `${ended.name} (${ended.reply.status}): ${breach}`);
}

/** Checks that the loss of a held thing was reported once and correctly. */
export function judgeLost({ name, reply, before, after, besidePlace }: Omit<EndedCall, 'baseIsAnothers'>): string[] {
  if (before.world !== after.world) return [];
  const reported = reply.result?.dropped ?? reply.error?.details?.dropped;
  const lost = before.held.filter((id) => !after.held.includes(id));
  if (reported === undefined) {
    if (lost.length === 0 || besidePlace || isPutDown(name, reply)) return [];
    return [`${lost} was held before and is not any more, and nobody says so`];
  }
  const breaches: string[] = [];
  const { entity_id: id, position } = reported;
  if (after.held.includes(id)) breaches.push(`says ${id} left the hands, which hold it`);
  const isNamed = lost.includes(id) || (before.held.length === 0 && ['HANDS_EMPTY', 'DROPPED'].includes(reply.error?.code));
  if (!isNamed && !besidePlace) breaches.push(`says ${id} left the hands, which held [${before.held}] before`);
  const thing = after.things.get(id);
  const [x = Number.NaN, y = Number.NaN, z = Number.NaN] = position;
  const offM = thing ? Math.hypot(planar(thing, { x, y }), thing.z - z) : Number.NaN;
  if (!(offM < PLACE_M)) breaches.push(`says ${id} is at ${position}, ${offM.toFixed(3)} m from where it is`);
  return breaches;
}

/** Returns whether the cube is meant to leave the hands; a skill that was stopped before reports what they hold. */
function isPutDown(name: string, reply: EndedCall['reply']): boolean {
  if (name !== 'place_entity') return false;
  return (
    reply.status === 'done' || reply.error.code === 'NOT_ON_TARGET' || reply.error.details.evidence?.held_entity_ids?.length === 0
  );
}

/** `set_velocity` answers when the robot has stopped, `cancel` when everything has. */
export function judgeStanding({ name, reply, after, baseIsAnothers }: Omit<EndedCall, 'before' | 'besidePlace'>): string[] {
  if (reply.status !== 'done' || (name !== 'set_velocity' && name !== 'cancel') || baseIsAnothers || stands(after)) return [];
  const { linearMps, yawRateRps } = after.robot;
  return [`done, but the base moves at ${linearMps.toFixed(3)} m/s and ${yawRateRps.toFixed(3)} rad/s`];
}
