import * as base64url from 'jose/base64url';
import { decodeJwt } from 'jose/jwt/decode';
import { type Access, accessOf } from '../service/access.ts';
import { profileOfIdentity, robotIdOfIdentity, runtimeName } from '../wire/identity.ts';
import { MAX_DATE_S } from '../wire/limits.ts';
import { isRuntimeProfile, type RuntimeProfile } from '../wire/profile.ts';

const VERSION = 'k1';
/** The version and the address of a key. The address may itself end with the letters of the version. */
const KEY_START = new RegExp(String.raw`${VERSION}~[\w-]*~`, 'g');

/** The content of a room key. The token is a secret: never log it. */
export interface RoomKey {
  sfuUrl: string;
  token: string;
  /** From the token: the LiveKit room. */
  room: string;
  /** From the token: the fixed identity, `simplesim:<robot_id>` or `rcw-<robot_id>`. */
  identity: string;
  /** From the identity: the contract that its holder must fulfil. */
  profile: RuntimeProfile;
  /** From the identity; null if it names none. */
  robotId: string | null;
  /** Display name in the token, if any. */
  name: string | null;
  /** Milliseconds since the epoch, from the token. */
  expiresAtMs: number;
}

/** The content of a visitor's key; a tab that opens one never becomes the robot. The token is a secret: never log it. */
export interface VisitorKey extends Pick<RoomKey, 'sfuUrl' | 'token' | 'room' | 'identity' | 'name' | 'expiresAtMs'> {
  /** From the token's signed attributes. */
  access: Access;
}

/**
 * The content of the key of a participant that calls a robot: a program, an agent, or a person with a link to drive. The token is
 * a secret: never log it.
 */
export type CallerKey = Omit<RoomKey, 'profile' | 'robotId'>;

export type RoomKeyProblem =
  | 'empty'
  | 'not_a_key'
  | 'unknown_version'
  | 'damaged'
  | 'several'
  | 'not_websocket'
  | 'insecure_from_https'
  | 'token_not_jwt'
  | 'no_room_grant'
  | 'no_publish_data_grant'
  | 'for_visitors'
  | 'not_yet_valid'
  | 'expired'
  | 'not_a_runtime'
  | 'other_profile'
  | 'not_a_visitor'
  | 'of_the_robot'
  | 'only_watches';

type Refusal = { ok: false; problem: RoomKeyProblem; message: string };
export type RoomKeyResult = { ok: true; key: RoomKey } | Refusal;
export type VisitorKeyResult = { ok: true; key: VisitorKey } | Refusal;
export type CallerKeyResult = { ok: true; key: CallerKey } | Refusal;

export interface KeyContext {
  nowMs: number;
  /** Protocol of the page that would join, e.g. `https:`; an https page may not open `ws:` to another host. */
  pageProtocol: string;
  /** The contract that the key must be for; a contract in the link counts too. @default that of the key's identity */
  profile?: RuntimeProfile | null;
}

/** How to get a link that works: the reader may run the platform, or may have received the link. */
export const NEW_LINK =
  'Get a new link: if you run this robot with “npm start”, “npm run link” prints one; otherwise ask the person who gave you this one.';

/** For a key that looks expired. */
const CLOCK_AHEAD = 'If it should still be valid, check this device’s clock: it may run ahead.';

/** Returns the sentence for the end of a visitor's link, by the clock of this device. */
export const linkEnded = (endMs: number, nowMs: number): string => {
  const isToday = nowMs - endMs < 43_200_000;
  const when = isToday ? `at ${new Date(endMs).toTimeString().slice(0, 5)}` : `${spanText(nowMs - endMs)} ago`;
  return `This link ended ${when}. Ask the owner for a new one.`;
};

/** Clock difference between the issuer and this machine that does not make a key invalid. */
const CLOCK_TOLERANCE_MS = 10_000;

/** Packs an SFU address and a participant token into a room key: `k1~<base64url(url)>~<jwt>`. */
export function encodeRoomKey(parts: { sfuUrl: string; token: string }): string {
  return `${VERSION}~${base64url.encode(parts.sfuUrl)}~${parts.token}`;
}

/**
 * Reads any text that a person pasted or a link carried: a key, a viewer link with `key` in query or fragment, or the legacy long
 * link (`lk_url`, `lk_token`, `lk_room`). Stray whitespace, quotes and line breaks are dropped. Checks everything that can be
 * checked without the SFU's secret. No rejection repeats any part of the key.
 */
export function readRoomKey(pasted: string, context: KeyContext): RoomKeyResult {
  const read = readPlace(pasted, context);
  return read.ok ? runtimeKey(read) : read;
}

/**
 * Reads the key of a person who watches or drives a robot that runs elsewhere, from any text that `readRoomKey` accepts. No
 * rejection repeats any part of the key.
 */
export function readVisitorKey(pasted: string, context: Omit<KeyContext, 'profile'>): VisitorKeyResult {
  const read = readPlace(pasted, context);
  if (!read.ok) return read;
  const { key, access } = read;
  return access === null || profileOfIdentity(key.identity) !== null
    ? refuse('not_a_visitor', 'This key is for no visitor of a robot. Ask for a link to watch or to drive it.')
    : { ok: true, key: { ...key, access } };
}

/**
 * Reads the key of a participant that calls a robot which runs elsewhere, from any text that `readRoomKey` accepts. No rejection
 * repeats any part of the key.
 */
export function readCallerKey(pasted: string, context: Omit<KeyContext, 'profile'>): CallerKeyResult {
  const read = readPlace(pasted, context);
  if (!read.ok) return read;
  const { key, access, canPublishData } = read;
  if (profileOfIdentity(key.identity) !== null)
    return refuse(
      'of_the_robot',
      'This key is for the robot itself: a program that joined with it would displace the robot. Use a link to drive, which the owner of the robot makes (docs/operators.md).',
    );
  if (access === 'watch' || !canPublishData)
    return refuse('only_watches', 'This key only lets you watch the robot. Ask the owner of the robot for a link to drive.');
  return { ok: true, key };
}

/** A place in a room that a key gives, for any holder. */
interface KeyPlace {
  ok: true;
  key: CallerKey;
  access: Access | null;
  canPublishData: boolean;
  profiles: readonly RuntimeProfile[];
}

function readPlace(pasted: string, context: KeyContext): KeyPlace | Refusal {
  const text = pasted.replace(/[\s"'`<>\u200b\u200e\u200f\ufeff\u201c\u201d\u2018\u2019]/g, '');
  if (text === '') return refuse('empty', 'There is no key yet. Paste a room key, or the link that holds it.');
  if ((text.match(KEY_START)?.length ?? 0) > 1)
    return refuse('several', 'This text holds two different room keys. Paste only the one that you want.');
  const link = readLink(text);
  const asked = { ...context, profiles: [context.profile, link?.profile].filter(isRuntimeProfile) };
  if (link?.kind === 'long') return checkToken(link.sfuUrl, link.token, asked, link.room);
  const key = link?.kind === 'key' ? link.key : text;
  const [version, encodedUrl, token, ...rest] = key.split('~');
  if (token === undefined || encodedUrl === undefined) {
    if (/^k\d+~/.test(key)) return refuse('damaged', 'This room key is cut off. Copy the whole of it, or ask for a new link.');
    return refuse(
      'not_a_key',
      'This is not a room key. A room key starts with "k1~"; paste it whole, or the link that holds it.',
    );
  }
  if (version !== VERSION) {
    if (/^k\d+$/.test(version ?? ''))
      return refuse(
        'unknown_version',
        `This room key is of version ${version}, and this page reads ${VERSION}. Reload the page for the newest viewer, or ask for a new link.`,
      );
    return refuse(
      'not_a_key',
      'This is not a room key. A room key starts with "k1~"; paste it whole, or the link that holds it.',
    );
  }
  if (rest.length > 0 || encodedUrl === '' || token === '')
    return refuse(
      'damaged',
      'This room key is damaged: a part of it is missing or doubled. Copy it again, or ask for a new link.',
    );
  const sfuUrl = decodeUrl(encodedUrl);
  if (sfuUrl === null)
    return refuse('damaged', 'This room key is damaged: the address in it cannot be read. Copy it again, or ask for a new link.');
  return checkToken(sfuUrl, token, asked);
}

type LinkParts = { profile: string | undefined } & (
  | { kind: 'key'; key: string }
  | { kind: 'long'; sfuUrl: string; token: string; room: string | null }
);

/** The context, and every contract that the key must be for. */
type AskedContext = KeyContext & { profiles: readonly RuntimeProfile[] };

/** The field of a link that asks to take the robot over from its present holder. */
export const TAKE_OVER_FIELD = 'take_over';
/** The end of a link that asks to take the robot over. It is in the fragment, which browsers send to no server. */
export const TAKE_OVER_FRAGMENT = `#${TAKE_OVER_FIELD}=1`;

/** Fields of a link that carry a key, or parts of one, or apply only to its first opening. */
const KEY_FIELDS: ReadonlySet<string> = new Set(['key', 'lk_url', 'lk_token', 'lk_room', TAKE_OVER_FIELD]);

/** Returns the name in a link's `name=value`, however it is written: encoded, in capitals, with spaces around. */
const linkFieldName = (pair: string): string =>
  decodePart((pair.split('=', 1)[0] ?? '').replaceAll('+', ' '))
    .trim()
    .toLowerCase();

/**
 * Drops from a link's query or fragment the fields that `readRoomKey` reads as a key, and leaves every other character as it is.
 */
export function withoutKeyFields(part: string): string {
  let kept = '';
  /** The separator before a dropped field: it is kept for the next field. */
  let gap: string | null = null;
  for (const field of part.split(/(?=[?#&])/)) {
    const [mark, pair] = [field.slice(0, 1), field.slice(1)];
    if (KEY_FIELDS.has(linkFieldName(pair))) {
      gap ??= mark;
      continue;
    }
    kept += (mark === '&' ? (gap ?? mark) : mark) + pair;
    gap = null;
  }
  return kept.length === 1 ? '' : kept;
}

/** Returns whether a link asks to take the robot over from its present holder. A bare key never does. */
export const asksToTakeOver = (pasted: string): boolean => linkFields(pasted).get(TAKE_OVER_FIELD) === '1';

/** Returns the fields of a link. Query and fragment are read alike: a key in the fragment never reaches a server. */
function linkFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const pair of text.split(/[?#&]/).slice(1)) {
    const equals = pair.indexOf('=');
    if (equals > 0) fields.set(linkFieldName(pair), decodePart(pair.slice(equals + 1)));
  }
  return fields;
}

function readLink(text: string): LinkParts | null {
  const fields = linkFields(text);
  const key = fields.get('key');
  const profile = fields.get('profile');
  if (key !== undefined) return { kind: 'key', key, profile };
  const sfuUrl = fields.get('lk_url');
  const token = fields.get('lk_token');
  if (sfuUrl !== undefined && token !== undefined)
    return { kind: 'long', sfuUrl, token, profile, room: fields.get('lk_room') ?? null };
  return null;
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function decodeUrl(encoded: string): string | null {
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return null;
  try {
    const bytes = base64url.decode(encoded);
    // The round trip refuses text that only half decodes.
    if (base64url.encode(bytes) !== encoded) return null;
    return decodeURIComponent(Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''));
  } catch {
    return null;
  }
}

function checkToken(sfuUrl: string, token: string, context: AskedContext, longLinkRoom?: string | null): KeyPlace | Refusal {
  const address = /^(wss?):\/\/(\[[0-9a-f:]+\]|[^/:?#@\s]+)(?::\d+)?(?:\/|$)/i.exec(sfuUrl);
  if (!address)
    return refuse('not_websocket', `The address of the server in this room key does not begin with ws: or wss:. ${NEW_LINK}`);
  const host = (address[2] ?? '').toLowerCase();
  if (context.pageProtocol === 'https:' && address[1]?.toLowerCase() === 'ws' && !isLoopback(host)) {
    return refuse(
      'insecure_from_https',
      `This page is served over https and may not open the unencrypted address of ${host} in this key. Ask for a link with a wss: address.`,
    );
  }
  const claims = readClaims(token);
  if (claims === null)
    return refuse('token_not_jwt', 'A part of this room key cannot be read. Copy it again, or ask for a new link.');
  const room = text(claims.video.room);
  if (claims.video.roomJoin !== true || room === null)
    return refuse('no_room_grant', `This key does not open a room, so it opens no robot. ${NEW_LINK}`);
  const { nowMs } = context;
  if (claims.nbfMs !== null && claims.nbfMs > nowMs + CLOCK_TOLERANCE_MS) {
    return refuse(
      'not_yet_valid',
      `This key becomes valid ${spanText(claims.nbfMs - nowMs)} from now. Wait until then, or check this machine's clock.`,
    );
  }
  if (claims.expMs === null) return refuse('token_not_jwt', `This room key has no expiry. ${NEW_LINK}`);
  if (claims.expMs <= nowMs)
    return refuse(
      'expired',
      `${claims.access === null ? `This key expired ${spanText(nowMs - claims.expMs)} ago. ${NEW_LINK}` : linkEnded(claims.expMs, nowMs)} ${CLOCK_AHEAD}`,
    );
  if (claims.identity === null) return refuse('not_a_runtime', FOR_A_GUEST);
  if (longLinkRoom != null && longLinkRoom !== room)
    return refuse(
      'damaged',
      'The parts of this link do not belong together: it names another room than its key. Copy it again, or ask for a new link.',
    );
  return {
    ok: true,
    key: { sfuUrl, token, room, identity: claims.identity, name: claims.name, expiresAtMs: claims.expMs },
    access: claims.access,
    canPublishData: claims.video.canPublishData !== false,
    profiles: context.profiles,
  };
}

const FOR_A_GUEST =
  'This key is for a program or a guest in the room, so this tab cannot become the robot with it. Ask for the link of the robot itself.';

function runtimeKey({ key, access, canPublishData, profiles }: KeyPlace): RoomKeyResult {
  if (access !== null)
    return refuse(
      'for_visitors',
      `This key lets you ${access} a robot that lives elsewhere, so this tab cannot become the robot with it. Ask for the link of the robot itself.`,
    );
  if (!canPublishData)
    return refuse(
      'no_publish_data_grant',
      'This key does not allow answering calls (it has no publish-data grant), so this tab cannot be the robot with it. Ask for the link of the robot itself.',
    );
  const profile = profileOfIdentity(key.identity);
  if (profile === null) return refuse('not_a_runtime', FOR_A_GUEST);
  if (profiles.some((asked) => asked !== profile)) return refuse('other_profile', OTHER_PROFILE[profile]);
  return { ok: true, key: { ...key, profile, robotId: robotIdOfIdentity(key.identity, runtimeName(profile)) } };
}

interface Claims {
  identity: string | null;
  name: string | null;
  nbfMs: number | null;
  expMs: number | null;
  video: Record<string, unknown>;
  access: Access | null;
}

function readClaims(token: string): Claims | null {
  try {
    if (!/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token)) return null;
    const payload = decodeJwt(token);
    const video = payload.video;
    return {
      identity: text(payload.sub),
      name: text(payload.name),
      nbfMs: milliseconds(payload.nbf),
      expMs: milliseconds(payload.exp),
      video: typeof video === 'object' && video !== null ? (video as Record<string, unknown>) : {},
      access: accessOf(payload.attributes),
    };
  } catch {
    return null;
  }
}

const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
const milliseconds = (seconds: unknown): number | null =>
  typeof seconds === 'number' && Math.abs(seconds) <= MAX_DATE_S ? seconds * 1000 : null;
/** Returns whether this host is this machine itself. @param host as in a URL, IPv6 in brackets */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);

/** Returns whether this host is a bare IPv4 address. No authority issues certificates for addresses of a local network. */
export const isIpv4 = (host: string): boolean => /^\d+(?:\.\d+){3}$/.test(host);

/** A time span in the largest fitting unit, e.g. "20 minutes". */
export function spanText(spanMs: number): string {
  const seconds = Math.max(1, Math.round(spanMs / 1000));
  const [count, unit]: [number, string] =
    seconds < 60
      ? [seconds, 'second']
      : seconds < 3600
        ? [Math.round(seconds / 60), 'minute']
        : seconds < 172_800
          ? [Math.round(seconds / 3600), 'hour']
          : [Math.round(seconds / 86_400), 'day'];
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** For a key of the named profile if the other one is required. */
const OTHER_PROFILE: Record<RuntimeProfile, string> = {
  simulator:
    "This key is for the simulator, and profile=worker in the address asks for the physical robot's contract. Ask for a link with that profile, or leave profile=worker away.",
  worker:
    "This key is for the physical robot's contract, and profile=simulator in the address asks for the simulator. Ask for another link, or leave profile=simulator away.",
};

function refuse(problem: RoomKeyProblem, message: string): Refusal {
  return { ok: false, problem, message };
}
