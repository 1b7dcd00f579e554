import { encodeRoomKey } from '../../src/protocol/room/room-key.ts';

const encode = (value: unknown): string =>
  btoa(JSON.stringify(value)).replaceAll('=', '').replaceAll('+', '-').replaceAll('/', '_');

/** The media server of the example key. */
export const EXAMPLE_SFU = 'ws://127.0.0.1:7880';
/** A token with the form of a robot's, without a valid signature. */
export const EXAMPLE_TOKEN = [
  encode({ alg: 'HS256' }),
  encode({ sub: 'simplesim:robot-1', exp: 4_000_000_000, video: { room: 'room-1', roomJoin: true, canPublishData: true } }),
  'bm8tc2lnbmF0dXJlLW9mLWFueWJvZHk',
].join('.');
/** A room key that every page reads and no media server accepts. */
export const EXAMPLE_KEY = encodeRoomKey({ sfuUrl: EXAMPLE_SFU, token: EXAMPLE_TOKEN });
