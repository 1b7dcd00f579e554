import { findRoomKey as keyTextIn } from '../protocol/room/find-room-key.ts';
import { PlatformSDKError } from './errors.ts';

const KEY = /k\d+~[\w-]+~[\w-]+\.[\w-]+\.[\w-]+/g;

/**
 * Finds the room key in a pasted text: a link, mail, Markdown, settings, JSON, or a mail scanner's redirect around the link.
 * @returns the key alone, unchecked: `k1~…`
 * @throws PlatformSDKError when the text contains no complete key, or two different keys; the error repeats no part of the text
 */
export function findRoomKey(text: string): string {
  const [key, other] = keyTextIn(text).match(KEY) ?? [];
  if (key === undefined)
    throw new PlatformSDKError('This text holds no complete room key. Pass the key that starts with "k1~", or the link with it.');
  if (other !== undefined)
    throw new PlatformSDKError('This text holds two different room keys. Pass only the one that you want.');
  return key;
}
