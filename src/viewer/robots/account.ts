import { Client, PlatformAPIError, PlatformConnectionError, PlatformSDKError } from '../../client/index.ts';
import { encodeRoomKey } from '../../protocol/room/room-key.ts';
import type { Access } from '../../protocol/service/access.ts';
import { simulatorIdentity } from '../../protocol/wire/identity.ts';

/** Why a request failed. */
export interface Problem {
  kind: 'key-refused' | 'limited' | 'away' | 'refused';
  /** Sentences for people: what is wrong and what to do. */
  text: string;
  /** When a retry is useful, as the service reports; null if it does not. */
  retryAfterMs: number | null;
}

export type Result<T> = { ok: true; value: T } | { ok: false; problem: Problem };

/** A room key and its expiry, ISO 8601. */
export interface EndingKey {
  roomKey: string;
  expiresAt: string;
}

/** A key contains no spaces, and a header allows no other characters. */
const KEY_FORM = /^(?!["'])[\x21-\x7e]{1,512}$/;
/** Returns whether a text can be sent as a key. */
export const isKeyForm = (text: string): boolean => KEY_FORM.test(text);

/**
 * Returns the library's client with the key of an account. It retries no list, because the page itself reads the lists again.
 * @param rcsUrl root of the control service
 */
export const openAccount = (apiKey: string, rcsUrl: string, send: typeof fetch = fetch): Client =>
  new Client({
    apiKey,
    rcsUrl,
    maxRetries: 0,
    fetch: (address, init) => send(address, { ...init, cache: 'no-store', credentials: 'omit' }),
  });

/** Awaits a request of the library. @returns its value, or why it failed; never rejects */
export async function attempt<T>(request: Promise<T>): Promise<Result<T>> {
  try {
    return { ok: true, value: await request };
  } catch (error) {
    return { ok: false, problem: problemOf(error) };
  }
}

const PAGE_LIMIT = 100;
/** More pages than any account's robots fill. An endless list is cut off here. */
const PAGES_MAX = 1_000;

/** Reads all pages of a list. @param read one page @param entriesOf the entries on it */
export const readAll = <P extends { next_id: string | null }, T>(
  read: (page: { limit: number; afterId: string | undefined }) => Promise<P>,
  entriesOf: (page: P) => readonly T[],
): Promise<Result<T[]>> => attempt(allOf(read, entriesOf));

async function allOf<P extends { next_id: string | null }, T>(
  read: (page: { limit: number; afterId: string | undefined }) => Promise<P>,
  entriesOf: (page: P) => readonly T[],
): Promise<T[]> {
  const found: T[] = [];
  let afterId: string | undefined;
  for (let count = 0; count < PAGES_MAX; count += 1) {
    const page = await read({ limit: PAGE_LIMIT, afterId });
    const entries = entriesOf(page);
    found.push(...entries);
    if (page.next_id === null || entries.length === 0) break;
    afterId = page.next_id;
  }
  return found;
}

/** Returns a room key with which a page becomes the robot. Opens its session if it has none. */
export async function openRoom({ robots }: Client, robotId: string): Promise<EndingKey> {
  await robots.createSession(robotId, { workerNames: [] });
  return keyFor(robots, robotId, { participantIdentity: simulatorIdentity(robotId) });
}

/** The participant names of visitors with a link, as others in the room see them. */
const VISITORS = { drive: 'operator', watch: 'watcher' } as const satisfies Record<Access, string>;

/**
 * Returns a room key for a person who drives or watches the robot that runs elsewhere, valid for four hours. The robot's session
 * must be open. The library's `generateOperatorUrl` and `generateWatchUrl` request the same key, and return no expiry.
 */
export function openVisit({ robots }: Client, robotId: string, access: Access): Promise<EndingKey> {
  const kind = VISITORS[access];
  // The suffix distinguishes two visitors when they ask for control of the robot.
  const suffix = randomName();
  const participant = { participantIdentity: `${kind}-${suffix}`, participantName: `${kind} ${suffix.slice(0, 4)}` };
  return keyFor(robots, robotId, { ...participant, access });
}

async function keyFor(
  robots: Client['robots'],
  robotId: string,
  participant: Parameters<Client['robots']['createParticipantToken']>[1],
): Promise<EndingKey> {
  const place = await robots.createParticipantToken(robotId, participant);
  const roomKey = encodeRoomKey({ sfuUrl: place.livekit_url, token: place.participant_token });
  return { roomKey, expiresAt: place.expires_at };
}

/** Returns a random name, unique in practice. `crypto.randomUUID` is missing in pages over plain HTTP. */
const randomName = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const AWAY =
  'The service does not answer. Check that it runs and that this machine has a network; this page retries automatically.';
const NO_SERVICE = 'The server here is not a control service. Open this page from the platform itself.';

function problemOf(error: unknown): Problem {
  if (error instanceof PlatformAPIError) return problemOfAnswer(error);
  // The library rejects an argument before it sends anything, for example the id of a robot that fits in no address.
  if (error instanceof TypeError) return { kind: 'refused', text: error.message, retryAfterMs: null };
  const isOther = error instanceof PlatformSDKError && !(error instanceof PlatformConnectionError);
  return { kind: 'away', text: isOther ? NO_SERVICE : AWAY, retryAfterMs: null };
}

function problemOfAnswer({ statusCode, code, message, details, retryAfterS }: PlatformAPIError): Problem {
  const retryAfterMs = retryAfterS === null ? null : retryAfterS * 1_000;
  // An answer without a code of the service has no sentence of the service either.
  const said = code === `http.${statusCode}` ? null : message;
  if (statusCode === 401) {
    const hint = typeof details.hint === 'string' ? details.hint : 'The service does not take this API key.';
    return { kind: 'key-refused', text: hint, retryAfterMs };
  }
  if (statusCode === 429) return { kind: 'limited', text: said ?? 'There were too many requests. Wait a little.', retryAfterMs };
  if (statusCode >= 500) return { kind: 'away', text: said ?? AWAY, retryAfterMs };
  return { kind: 'refused', text: said ?? `The service refused this (${statusCode}).`, retryAfterMs };
}
