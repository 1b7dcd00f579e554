/** `platform-robot-sdk/experimental`: names that may change between releases. The package's main entry exports the same names. */
export { findRoomKey } from './find-room-key.ts';
export {
  generateRoomKey,
  generateRoomKeyUrl,
  getSessionViewerUrl,
  type RoomKeyOptions,
  type RoomKeyUrlOptions,
} from './room-keys.ts';
export { generateOperatorUrl, generateWatchUrl, type VisitorUrlOptions } from './visitor-links.ts';
