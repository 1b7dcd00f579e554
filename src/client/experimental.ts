/** `platform-robot-sdk/experimental`: what may change from one release to the next. The package's own entry has the same names. */
export { findRoomKey } from './find-room-key.ts';
export {
  generateRoomKey,
  generateRoomKeyUrl,
  getSessionViewerUrl,
  type RoomKeyOptions,
  type RoomKeyUrlOptions,
} from './room-keys.ts';
export { generateOperatorUrl, generateWatchUrl, type VisitorUrlOptions } from './visitor-links.ts';
