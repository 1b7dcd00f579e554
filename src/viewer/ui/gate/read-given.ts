import { findRoomKey, isJsonWithoutKey } from '../../../protocol/room/find-room-key.ts';
import { type KeyContext, readRoomKey } from '../../../protocol/room/room-key.ts';
import { isVisitorKey } from '../../engine/visitor-key.ts';

/** The source of a text, named in the sentence about an invalid one. */
export type GivenBy = 'hand' | 'file' | 'qr';

/** The result of reading a given text: the key in it, or a sentence on why it is not a key. */
export type Given = { ok: true; key: string; isForVisitor: boolean } | { ok: false; problem: string };

const NO_KEY: Record<GivenBy, string | null> = {
  hand: null,
  file: 'There is no room key in this file. It needs a key that starts with "k1~", or the link that holds it.',
  qr: 'This QR code contains no room key. Use the code of a robot’s link.',
};

const JSON_WITHOUT_KEY =
  'There is no room key in this JSON. It needs a link with a key, or livekit_url and participant_token side by side.';

/** Reads a key in any of its forms. @param context this page's requirements for a key */
export function readGiven(text: string, by: GivenBy, context: KeyContext): Given {
  const key = findRoomKey(text);
  const read = readRoomKey(key, context);
  if (read.ok) return { ok: true, key, isForVisitor: false };
  if (isVisitorKey(key, context.pageProtocol)) return { ok: true, key, isForVisitor: true };
  if (read.problem !== 'not_a_key' && read.problem !== 'empty') return { ok: false, problem: read.message };
  return { ok: false, problem: isJsonWithoutKey(text) ? JSON_WITHOUT_KEY : (NO_KEY[by] ?? read.message) };
}
