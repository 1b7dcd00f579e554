import type { LibrarySession } from '../protocol/service/control-service.ts';
import type { ControlKey } from '../protocol/signed/signed-claims.ts';
import type { Client } from './client.ts';
import type { ConnectOptions, KindOf } from './connect-options.ts';
import type { EmergencyStopOptions } from './emergency-stop.ts';
import { PlatformAPIError, PlatformSDKError } from './errors.ts';
import { internalSettings } from './internal/client-settings.ts';
import type { OrderSelf } from './internal/driver-lease.ts';
import { DEFAULT_CALL_TIMEOUT_MS, DEFAULT_PREFIX, JOIN_TIMEOUT_MS, joinError, roomEvents } from './internal/joining.ts';
import { refuseBlocked } from './internal/refuse-blocked.ts';
import { RoomLink } from './internal/room-link.ts';
import { ControlSigner } from './internal/signing.ts';
import { loadTransport } from './internal/transport/load-transport.ts';
import { randomId } from './internal/wait.ts';
import { PlatformSession } from './session.ts';

/** Longest name in an identity, so that the robot shows the whole identity. */
const SHOWN_NAME_LENGTH = 40;

/**
 * Opens the robot's session and joins its room.
 * @throws PlatformAPIError, PlatformConnectionError, TimeoutError; PlatformNotAvailableError for a blocked option. If the room
 * cannot be joined, a session that this call opened is deleted again. A session that was already open stays, with all its
 * participants.
 */
export async function connect<const O extends ConnectOptions = ConnectOptions>(
  client: Client,
  robotId: string,
  given?: O,
): Promise<PlatformSession<KindOf<O>>> {
  const options: ConnectOptions = given ?? {};
  const { workerNames, workers, environmentId, sceneId, signal } = options;
  const { logger } = internalSettings(client);
  const { callbacks = {} } = options;
  refuseBlocked('environment_id', environmentId);
  // Loaded first: if LiveKit's package is missing, there is no session to roll back.
  const transport = options.joinLivekit === false ? null : await (options.transport ?? loadTransport)();
  const endSession = (endSignal?: AbortSignal) => deleteIfThere(client, robotId, endSignal);
  const rollBack = async (session: LibrarySession): Promise<void> => {
    if (!isOpenedNow(session)) return;
    await endSession().catch(({ name }: Error) => logger.warn(`the session could not be deleted: ${name}`));
  };
  signal?.throwIfAborted();
  const opening = client.robots.createSession(robotId, { workerNames, workers, sceneId });
  // The request itself continues. If it were cut off while the answer is on its way, an unknown session would stay open.
  const opened = await unlessAborted(opening, signal, () => void opening.then(rollBack, () => {}));
  let token = opened.participant_token;
  const parts = {
    robotId,
    roomName: opened.room_name,
    livekitUrl: opened.livekit_url,
    roomMetadata: opened.room_metadata,
    callTimeoutMs: options.runtimeCallTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
    keepSession: options.keepSession ?? !isOpenedNow(opened),
    returnRefusals: options.returnRefusals ?? false,
    callbacks,
    logger,
    endSession,
    pressOverHttp: (press: EmergencyStopOptions) => client.robots.emergencyStop(robotId, press),
    orderSelf: (about: Parameters<OrderSelf>[0], ask: Parameters<OrderSelf>[1]) =>
      client.robots.takeControl(robotId, { to: namedIn(token), ...about, ...ask }),
  };
  if (!transport) return new PlatformSession({ ...parts, identity: null, link: null });
  try {
    token = await tokenUnderName(client, robotId, options, token);
  } catch (error) {
    await rollBack(opened);
    throw error;
  }
  try {
    const grant = (publicKey: ControlKey) =>
      client.robots.createControlGrant(robotId, { publicKey, holder: options.controlHolder ?? options.name });
    const signer = new ControlSigner(options.signControl ?? 'auto', grant, logger);
    const link = new RoomLink(transport, options.rcwIdentityPrefix ?? DEFAULT_PREFIX, roomEvents(callbacks, logger), signer);
    const session = new PlatformSession({ ...parts, identity: identityIn(token), link });
    await link.join(opened.livekit_url, token, { timeoutMs: JOIN_TIMEOUT_MS, signal });
    return session;
  } catch (error) {
    await rollBack(opened);
    throw joinError(error, opened.livekit_url, signal);
  }
}

/** The session's own token has no name, so another one is requested. */
async function tokenUnderName(
  client: Client,
  robotId: string,
  { name, signal }: ConnectOptions,
  nameless: string,
): Promise<string> {
  if (name === undefined) return nameless;
  const order = { participantIdentity: identityOf(name), participantName: name, signal };
  return (await client.robots.createParticipantToken(robotId, order)).participant_token;
}

/** Returns a unique identity. It contains the name, because the robot names its callers by their identities. */
function identityOf(name: string): string {
  const letters = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SHOWN_NAME_LENGTH)
    .replace(/^-|-$/g, '');
  return randomId(letters === '' ? 'client' : `client-${letters}`);
}

/** Settles as the promise does. If the signal fires first, calls `onAbort` and rejects with the signal's reason. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined, onAbort: () => void): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => {
      onAbort();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function deleteIfThere(client: Client, robotId: string, signal?: AbortSignal): Promise<void> {
  try {
    await client.robots.deleteSession(robotId, { signal });
  } catch (error) {
    if (!(error instanceof PlatformAPIError && error.statusCode === 404)) throw error;
  }
}

/** Whether the call that got this answer opened the session, as opposed to finding it open. */
const isOpenedNow = (session: LibrarySession): boolean => session.is_new ?? isFresh(session);

/** A session counts as opened by the call that got its token within this time of its start. */
const FRESH_MS = 5_000;

/**
 * Whether this call opened the session, for a service that does not report it. The service stamps the session's start and the
 * token's issue with the same clock.
 */
function isFresh({ room_metadata, participant_token }: LibrarySession): boolean {
  try {
    const { nbf } = claimsOf(participant_token);
    return typeof nbf !== 'number' || nbf * 1_000 - Date.parse(room_metadata.created_at) < FRESH_MS;
  } catch {
    return true;
  }
}

/** Returns the identity in the room that a token is for; null if it names none. */
function identityIn(token: string): string | null {
  try {
    const { sub } = claimsOf(token);
    return typeof sub === 'string' && sub !== '' ? sub : null;
  } catch {
    // The text is not a token.
    return null;
  }
}

/** @throws PlatformSDKError when the token names no identity */
function namedIn(token: string): string {
  const identity = identityIn(token);
  if (identity !== null) return identity;
  throw new PlatformSDKError('The token of this session names no identity. Check that rcsUrl names the control service.');
}

/** Returns the claims of a token. The signature is not checked, because the service issued it. */
function claimsOf(token: string): { nbf?: number; sub?: string } {
  const bytes = Uint8Array.from(atob((token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
  return JSON.parse(new TextDecoder().decode(bytes));
}
