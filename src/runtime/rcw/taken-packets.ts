import { FairShelf } from '../../common/fair-shelf.ts';

/** A pose packet that was taken, by its action id. A repeat of the packet is answered but not followed again (promise P5). */
export interface TakenPacket {
  actionId: string;
  parametersKey: string;
  /** JSON text. */
  reply: string;
}

/** About 20 s of packets at 50 a second; a later packet is not a repeat by the transport. */
const PACKETS_KEPT = 1_024;

/** The kept packets. Each caller has a share, so that no number of another caller's packets makes a repeat be followed. */
export type TakenPackets = FairShelf<TakenPacket>;
export const createTakenPackets = (): TakenPackets => new FairShelf(PACKETS_KEPT);
