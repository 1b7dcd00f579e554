import { readVisitorKey } from '../../protocol/room/room-key.ts';

/**
 * Returns whether a key, or the link that contains it, is for a visitor of a robot that runs elsewhere. @param pageProtocol e.g.
 * `https:`
 */
export const isVisitorKey = (text: string, pageProtocol: string): boolean =>
  readVisitorKey(text, { nowMs: Date.now(), pageProtocol }).ok;
