/** Ten kinds of faults between a robot and its clients. */
import { setTimeout as sleep } from 'node:timers/promises';
import { SignalRequest, SimulateScenario } from '@livekit/protocol';
import type { Chance } from '../../tests/oracle/chance.ts';
import type { SfuLink } from '../../tests/sfu-link/sfu-link.ts';
import type { FaultSfu } from './fault-sfu.ts';

export const FAULT_KINDS = [
  'kill',
  'migration',
  'clock jump',
  'stop',
  'restart',
  'silence',
  'server leave',
  'slow link',
  'lost packets',
  'expired token',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface FaultPlace {
  sfu: FaultSfu;
  link: SfuLink;
  /** The rooms that a restarted SFU must have. */
  rooms: readonly string[];
  /** Sets the robot's wall clock forward, or back. */
  shiftClock(ms: number): Promise<void>;
}

/** A fault that was injected. */
export interface Fault {
  /** A description with its numbers. */
  what: string;
  /** When everything worked again; `performance.now()`. */
  overAtMs: number;
  /** Whether the robot was unreachable for so long that it must stand. */
  mustStand: boolean;
}

/**
 * A network that is lost for this long does not count as a short hiccup: the robot starts to brake after two seconds, and takes a
 * second and a half.
 */
const MUST_STAND_AFTER_MS = 6_000;

const simulate = (scenario: SimulateScenario['scenario']): SignalRequest =>
  new SignalRequest({ message: { case: 'simulate', value: new SimulateScenario({ scenario }) } });

/** Injects the fault and repairs it. Settles when everything works again. */
export const FAULTS: Record<Exclude<FaultKind, 'expired token'>, (place: FaultPlace, chance: Chance) => Promise<Fault>> = {
  async kill({ sfu, rooms }) {
    await sfu.kill();
    await sfu.start(rooms);
    return over('the SFU was killed and started again');
  },
  async stop({ sfu, rooms }, chance) {
    const awayMs = chance.between(500, 10_000);
    await sfu.stop();
    await sleep(awayMs);
    await sfu.start(rooms);
    return over(`the SFU was stopped for ${awayMs.toFixed(0)} ms`, awayMs >= MUST_STAND_AFTER_MS);
  },
  async restart({ sfu, rooms }) {
    await sfu.stop();
    await sfu.start(rooms);
    return over('the SFU was restarted');
  },
  async silence({ sfu, link }, chance) {
    const silentMs = chance.between(500, 12_000);
    const mustStand = silentMs >= MUST_STAND_AFTER_MS;
    if (chance.happens(0.5)) {
      sfu.pause();
      await sleep(silentMs);
      sfu.resume();
      return over(`the SFU sent nothing for ${silentMs.toFixed(0)} ms`, mustStand);
    }
    const silent = chance.oneOf(['both', 'to-sfu', 'from-sfu'] as const);
    link.set({ silent });
    await sleep(silentMs);
    link.set({ silent: 'neither' });
    return over(`the link carried nothing (${silent}) for ${silentMs.toFixed(0)} ms`, mustStand && silent === 'both');
  },
  async 'server leave'({ link }) {
    link.sendToSfu(simulate({ case: 'serverLeave', value: true }));
    return over('the server sent a leave message');
  },
  async migration({ link }, chance) {
    const scenario = chance.oneOf(['migration', 'nodeFailure'] as const);
    link.sendToSfu(simulate({ case: scenario, value: true }));
    return over(
      scenario === 'migration' ? 'the room moved to another server' : 'the server dropped the robot without a leave message',
    );
  },
  async 'clock jump'({ shiftClock }, chance) {
    const jumpMs = chance.oneOf([300, 6_000, 3_600_000, -300, -6_000, -3_600_000]);
    await shiftClock(jumpMs);
    return over(`the robot's clock was set by ${jumpMs / 1_000} s`);
  },
  async 'slow link'({ link }, chance) {
    const [delayMs, bytesPerSecond] = [chance.between(100, 600), chance.oneOf([Number.POSITIVE_INFINITY, 125_000, 25_000])];
    link.set({ delayMs, bytesPerSecond });
    await sleep(chance.between(2_000, 6_000));
    link.set({ delayMs: 0, bytesPerSecond: Number.POSITIVE_INFINITY });
    return over(`${delayMs.toFixed(0)} ms each way, ${bytesPerSecond / 1_000} kB/s`);
  },
  async 'lost packets'({ link }, chance) {
    const lossRatio = chance.between(0.05, 0.4);
    link.set({ lossRatio });
    await sleep(chance.between(2_000, 6_000));
    link.set({ lossRatio: 0 });
    return over(`${(100 * lossRatio).toFixed(0)} % of the packets were lost`);
  },
};

const over = (what: string, mustStand = false): Fault => ({ what, overAtMs: performance.now(), mustStand });
