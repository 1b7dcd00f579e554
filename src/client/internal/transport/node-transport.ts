import type { Room } from '@livekit/rtc-node';
import { loadQuietly } from '../../../common/load-quietly.ts';
import type { RoomTransport } from '../../transport.ts';
import { atMost } from '../wait.ts';
import { NativeUse } from './native-use.ts';
import { reasonText, STREAM_MAX_BYTES, transportParts } from './sdk-room.ts';

/** Bundlers do not follow this name. The package contains native code and does not belong in a page. */
const PACKAGE = '@livekit/rtc-node';

/**
 * Longest wait for LiveKit's answer to leaving. If a room ends at the same moment, the native part closes it twice, and both its
 * answer and its event may get lost: the second close stops the task that delivers the event (livekit-ffi 0.12, `FfiRoom::close`
 * beside `RoomSession::handle_disconnected`). The room is left in either case.
 */
const LEAVE_ANSWER_MS = 5_000;
const ANSWER_AFTER_EVENT_MS = 1_000;

/**
 * A room in Node, over `@livekit/rtc-node`. The native part of that package ends with the last room, so that the program can
 * exit.
 */
export async function nodeTransport(): Promise<RoomTransport> {
  const rtc = await loadQuietly(
    process.env,
    () => import(/* @vite-ignore */ PACKAGE) as Promise<typeof import('@livekit/rtc-node')>,
  );
  const native = new NativeUse(rtc.dispose);
  const room: Room = new rtc.Room();
  let joining: Promise<void> = Promise.resolve();
  return {
    ...transportParts(room),
    connect(url, token, listener) {
      room.on('participantConnected', ({ identity }) => listener.participantJoined(identity));
      room.on('participantDisconnected', ({ identity }) => listener.participantLeft(identity));
      room.on('reconnecting', () => listener.reconnecting());
      room.on('reconnected', () => listener.reconnected());
      room.on('disconnected', (reason) => listener.disconnected(reasonText(rtc.DisconnectReason[reason])));
      // Rooms of robots carry only data, so there are no tracks to subscribe to.
      const options = {
        autoSubscribe: false,
        dynacast: false,
        dataStream: { maxPayloadByteLength: STREAM_MAX_BYTES },
      };
      joining = native.begin().then(() => room.connect(url, token, options));
      return joining;
    },
    onData(topic, handler) {
      room.on('dataReceived', (bytes, sender, _kind, packetTopic) => {
        if (packetTopic === topic && sender) handler({ from: sender.identity, bytes });
      });
    },
    async disconnect() {
      // The package cannot abort a join.
      await joining.catch(() => {});
      const isAnswered = await leaveRoom(room);
      await native.end(room, isAnswered);
    },
  };
}

/**
 * Leaves a room of `@livekit/rtc-node`; always settles.
 * @returns whether LiveKit answered
 */
export async function leaveRoom(room: Room): Promise<boolean> {
  let isAnswered = false;
  const ended = new Promise<void>((resolve) => {
    room.once('disconnected', () => resolve());
  });
  const answer = room.disconnect().then(
    () => {
      isAnswered = true;
    },
    () => {
      isAnswered = true;
    },
  );
  // The event often comes a moment before the answer.
  await atMost(Promise.race([answer, ended.then(() => atMost(answer, ANSWER_AFTER_EVENT_MS))]), LEAVE_ANSWER_MS);
  return isAnswered;
}
