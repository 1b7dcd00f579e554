/** Moving poses, streamed over a bad line: which of them arrive, how late, and how the arms follow. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkResult } from '../../scripts/docs/network-catalogue.ts';
import type { ArmPose } from '../../src/client/index.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { figuresOf } from '../statistics.ts';
import type { NetworkStand, SentCommand } from './stand.ts';

const RATE_HZ = 50;
/** A pose carries its number in the left wrist. */
const NUMBER_RAD = 1e-3;
const SWING_RAD = 0.4;
const SWINGS_PER_S = 0.25;
const LOOK_EVERY_MS = 15;
/** The first poses move the arms to where they swing. */
const SETTLE_MS = 500;
const STANDS_WITHIN_MS = 20_000;

export type RideFigures = Omit<NetworkResult, 'drivenAfterCutMs' | 'watch'>;

interface Look {
  atMs: number;
  number: number;
  rightShoulderRad: number;
  mode: string;
  timeouts: number;
}

const poseAt = (tick: number): ArmPose => {
  const rad = SWING_RAD * Math.sin((2 * Math.PI * SWINGS_PER_S * tick) / RATE_HZ);
  return { r_arm: [-0.4 + rad, -0.18, 0, 0.87, 0], l_arm: [-0.35, 0.18, 0, 0.87, tick * NUMBER_RAD] };
};

/**
 * Streams for this long.
 * @param during runs meanwhile; resolves with the end of an outage, milliseconds since the epoch, or null
 */
export async function ride(stand: NetworkStand, forMs: number, during: () => Promise<number | null>): Promise<RideFigures> {
  const firstSent = stand.sent.length;
  const looks: Look[] = [];
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const askedMs = Date.now();
      looks.push(lookOf(await stand.state(), (askedMs + Date.now()) / 2));
      await sleep(LOOK_EVERY_MS);
    }
  })();
  function* poses() {
    for (let tick = 0; tick < (forMs / 1_000) * RATE_HZ; tick += 1) yield poseAt(tick);
  }
  const streaming = stand.operator.streamUpperBody(poses(), { rateHz: RATE_HZ });
  const [streamed, outage] = await Promise.allSettled([streaming, during()]);
  const packets = stand.sent.slice(firstSent).filter(({ skill }) => skill === 'set_upper_body');
  const [firstMs, lastMs] = [packets[0]?.sentMs ?? 0, packets.at(-1)?.sentMs ?? 0];
  const standsAfterMs = await standing(stand, lastMs);
  isOver = true;
  await looking;
  const outageEndMs = outage.status === 'fulfilled' ? outage.value : null;
  const whileSent = looks.filter(({ atMs }) => atMs > firstMs && atMs <= lastMs);
  return {
    ...packetFigures(packets),
    ...armFigures(packets, whileSent),
    backAfterMs: outageEndMs === null ? null : backAfter(packets, outageEndMs),
    failure: streamed.status === 'fulfilled' ? null : nameOf(streamed.reason),
    standsAfterMs,
  };
}

function packetFigures(packets: readonly SentCommand[]) {
  const answered = packets.flatMap(({ sentMs, takenMs }) => (takenMs === null ? [] : [takenMs - sentMs]));
  return {
    sent: packets.length,
    answered: answered.length,
    overtaken: packets.filter(({ refused }) => refused === 'ENVELOPE_OUT_OF_ORDER').length,
    lateMs: figuresOf(answered),
  };
}

function armFigures(packets: readonly SentCommand[], looks: readonly Look[]) {
  const errors: number[] = [];
  let limpMs = 0;
  let backwards = 0;
  for (const [index, look] of looks.entries()) {
    const at = packets.findLast(({ sentMs }) => sentMs <= look.atMs);
    const { r_arm } = (at?.input ?? { r_arm: [0] }) as unknown as ArmPose;
    if (look.atMs > (looks[0]?.atMs ?? 0) + SETTLE_MS) errors.push(Math.abs((r_arm[0] ?? 0) - look.rightShoulderRad));
    const next = looks[index + 1];
    if (!next) continue;
    if (look.mode === 'damp') limpMs += next.atMs - look.atMs;
    if (next.mode === 'trajectory' && next.number > 0 && next.number < look.number) backwards += 1;
  }
  const limp = (looks.at(-1)?.timeouts ?? 0) - (looks[0]?.timeouts ?? 0);
  return { errorRad: figuresOf(errors), limp, limpMs, backwards };
}

/** The robot controls its arms again and stands. */
async function standing(stand: NetworkStand, sinceMs: number): Promise<number | null> {
  while (Date.now() - sinceMs < STANDS_WITHIN_MS) {
    const { robot } = await stand.state();
    if (robot.extra.control?.upper_body.mode === 'policy' && robot.status !== 'moving') return Date.now() - sinceMs;
    await sleep(LOOK_EVERY_MS);
  }
  return null;
}

function backAfter(packets: readonly SentCommand[], outageEndMs: number): number | null {
  const taken = packets.map(({ takenMs }) => takenMs ?? 0).filter((atMs) => atMs >= outageEndMs);
  return taken.length === 0 ? null : Math.min(...taken) - outageEndMs;
}

function lookOf(state: RuntimeState, atMs: number): Look {
  const arms = state.robot.extra.control?.upper_body;
  return {
    atMs,
    number: Math.round((arms?.commanded?.l_arm[4] ?? 0) / NUMBER_RAD),
    rightShoulderRad: arms?.measured.r_arm[0] ?? 0,
    mode: arms?.mode ?? '',
    timeouts: arms?.timeouts ?? 0,
  };
}

const nameOf = (error: unknown): string =>
  String((error as { code?: string }).code ?? (error instanceof Error ? error.name : error));
