import { FairShelf } from '../../protocol/fair-shelf.ts';

/** A pose packet that was taken, by its action id: the same packet again is answered and not followed again (promise P5). */
export interface TakenPacket {
  actionId: string;
  parametersKey: string;
  /** JSON text. */
  reply: string;
}

/** Some 20 s of packets at 50 a second; what comes later than that is no repeat of the transport's. */
const PACKETS_KEPT = 1_024;

/** Each caller has a share of what is kept: no number of another's packets makes the repeat of one be followed. */
export type TakenPackets = FairShelf<TakenPacket>;
export const createTakenPackets = (): TakenPackets => new FairShelf(PACKETS_KEPT);
