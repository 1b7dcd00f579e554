import { readVisitorKey } from '../../protocol/room-key.ts';

/** Tells whether a key, or the link that holds it, is for a visitor of a robot that lives elsewhere. @param pageProtocol e.g. `https:` */
export const isVisitorKey = (text: string, pageProtocol: string): boolean =>
  readVisitorKey(text, { nowMs: Date.now(), pageProtocol }).ok;
