import { isRecord } from '../common/schema-texts.ts';
import { findRoomKey } from '../protocol/room/find-room-key.ts';
import { readCallerKey } from '../protocol/room/room-key.ts';
import type { RoomMetadata } from '../protocol/service/control-service.ts';
import { robotIdOfIdentity } from '../protocol/wire/identity.ts';
import type { JoinRoomOptions } from './connect-options.ts';
import { PlatformSDKError } from './errors.ts';
import { DEFAULT_CALL_TIMEOUT_MS, DEFAULT_PREFIX, JOIN_TIMEOUT_MS, joinError, roomEvents } from './internal/joining.ts';
import { RoomLink } from './internal/room-link.ts';
import { usualLogger } from './internal/settings.ts';
import { loadTransport } from './internal/transport/load-transport.ts';
import { PlatformSession } from './session.ts';
import type { RobotKind } from './skill-types.ts';

/**
 * Joins the room of an open session by a room key alone, without an API key: the key of a program, or a link to drive. The
 * session presses the emergency stop only over the room, cannot take the robot by the owner's order, and does not sign commands.
 * `disconnect` leaves the room and never deletes the session.
 * @param roomKey the key `k1~…`, or any text that contains it, such as its link. Two sessions with one key displace each other
 * @throws PlatformSDKError when the text contains no valid key, or a key of the robot itself or of a viewer; it repeats no part of
 * the text; PlatformConnectionError when the room cannot be joined; TimeoutError
 */
export async function joinRoom<K extends RobotKind = 'simulator'>(
  roomKey: string,
  options: JoinRoomOptions = {},
): Promise<PlatformSession<K>> {
  const { callbacks = {}, logger = usualLogger(), rcwIdentityPrefix = DEFAULT_PREFIX, signal } = options;
  const read = readCallerKey(findRoomKey(roomKey), { nowMs: Date.now(), pageProtocol: 'http:' });
  if (!read.ok) throw new PlatformSDKError(read.message);
  const { sfuUrl, token, room, identity } = read.key;
  const transport = await (options.transport ?? loadTransport)();
  signal?.throwIfAborted();
  const link = new RoomLink(transport, rcwIdentityPrefix, roomEvents(callbacks, logger));
  try {
    await link.join(sfuUrl, token, { timeoutMs: JOIN_TIMEOUT_MS, signal });
  } catch (error) {
    throw joinError(error, sfuUrl, signal);
  }
  const roomMetadata = metadataOf(link, rcwIdentityPrefix);
  return new PlatformSession({
    robotId: roomMetadata.robot_id,
    roomName: room,
    identity,
    livekitUrl: sfuUrl,
    roomMetadata,
    link,
    callTimeoutMs: options.runtimeCallTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
    keepSession: true,
    returnRefusals: options.returnRefusals ?? false,
    callbacks,
    logger,
    endSession: () => withoutApiKey('It cannot delete the session.'),
    pressOverHttp: () => withoutApiKey('It presses the emergency stop only over the room.'),
    orderSelf: () => withoutApiKey('It cannot take the robot by an order of the owner.'),
  });
}

const withoutApiKey = (consequence: string): Promise<never> =>
  Promise.reject(new PlatformSDKError(`This session has a room key and no API key. ${consequence} Use connect for that.`));

/** Reads the service's facts about the room. A room of another service has none, and only the runtime's name is known. */
function metadataOf(link: RoomLink, prefix: string): RoomMetadata {
  const { runtime, metadata } = link;
  const robotId = runtime === null ? null : robotIdOfIdentity(runtime, prefix);
  const unknown = { robot_id: robotId ?? '', status: 'active', required_participants: {}, dispatches: {}, created_at: '' };
  try {
    const read: unknown = JSON.parse(metadata);
    return isRecord(read) && typeof read.robot_id === 'string' ? { ...unknown, ...read } : unknown;
  } catch {
    return unknown;
  }
}
