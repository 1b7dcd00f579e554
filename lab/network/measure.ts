/** `npm run lab -- line`: poses, a held velocity and a watcher's picture over bad lines, one after the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { NetworkCase, NetworkResult } from '../../scripts/docs/network-catalogue.ts';
import { GOOD_LINK } from '../../tests/sfu-link/sfu-link.ts';
import { driveAndCut } from './drive-and-cut.ts';
import { ride } from './ride.ts';
import type { NetworkStand } from './stand.ts';

/** The stream has reached its pace before an outage begins. */
const BEFORE_OUTAGE_MS = 2_000;
/** Packets in transit on a bad line have arrived over the good one. */
const CLEAR_MS = 1_500;

/** @param forMs how long poses are streamed, not counting an outage */
export async function measureNetwork(stand: NetworkStand, network: NetworkCase, forMs: number): Promise<NetworkResult> {
  const { roundTripMs, jitterMs, loss, twice = 0, outageMs = 0 } = network;
  const conditions = { delayMs: roundTripMs / 2, jitterMs: jitterMs / 2, lossRatio: loss, twiceRatio: twice };
  stand.link.set(conditions);
  const looked = stand.watcher.look((roundTripMs + jitterMs) / 2);
  const rode = await ride(stand, forMs + outageMs, async () => {
    if (outageMs === 0) return null;
    await sleep(BEFORE_OUTAGE_MS);
    stand.link.set({ silent: 'both' });
    await sleep(outageMs);
    stand.link.set({ silent: 'neither' });
    return Date.now();
  });
  const watch = looked();
  const drivenAfterCutMs = await driveAndCut(stand);
  stand.link.set(GOOD_LINK);
  await sleep(CLEAR_MS);
  return { ...rode, drivenAfterCutMs, watch };
}
