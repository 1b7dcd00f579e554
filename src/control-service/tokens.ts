import { jwtVerify, SignJWT } from 'jose';
import { ACCESS_ATTRIBUTE, type Access, accessOf, linkAttributes, linkOf, type SignedLink } from '../protocol/access.ts';
import { isRuntimeIdentity, profileOfIdentity } from '../protocol/identity.ts';

/** A place in a room, for one identity and a limited time. */
export interface ParticipantGrant {
  room: string;
  identity: string;
  /** Display name. */
  name: string;
  issuedAtS: number;
  ttlS: number;
  /** LiveKit attributes, which everybody in the room sees and the holder cannot change. @default none */
  attributes?: Record<string, string>;
  /** What a visitor may do; it becomes an attribute. @default null: all that its identity may */
  access?: Access | null;
  /** The visitor's link, which becomes attributes. @default none */
  link?: SignedLink;
  /** As in tokens that the SFU gives to whoever is in a room. @default none */
  kind?: string | null;
}

interface SigningKey {
  apiKey: string;
  apiSecret: string;
}

/** How long a server call with an admin token may take to be made. */
const ADMIN_TOKEN_TTL_S = 60;
/** Whether this identity is a robot's runtime, of whichever kind. */
export const isAnyRuntime = (identity: string): boolean => profileOfIdentity(identity) !== null;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the robot whose runtime this identity claims to be; null when it names none (`simplesim`, `rcw-left`, a client). */
export function robotOfRuntime(identity: string): string | null {
  const [, name, separator, rest = ''] = /^(simplesim|rcw)([:-])(.*)$/s.exec(identity) ?? [];
  if (name === undefined) return null;
  // The viewer takes any text after `simplesim:` for its robot; the other forms are free for names that are no robot ids.
  return (name === 'simplesim' && separator === ':') || UUID.test(rest) ? rest : null;
}

/**
 * A LiveKit access token for one room, with the least that works:
 * - `roomJoin`: without it the SFU lets nobody in.
 * - `canPublishData`: without it calls go unanswered, the runtime's replies and pictures too. Whoever may only watch does without.
 * - `canPublish`: media; for runtimes alone (a robot's cameras). Calls and byte streams need none of it.
 * - `canSubscribe`: media of others, for those who watch or listen; the simulator's tab does neither.
 * Metadata and attributes cannot be changed, the identity and the room are fixed, and nothing is administered.
 */
export function signParticipantToken(key: SigningKey, grant: ParticipantGrant): Promise<string> {
  const video = {
    roomJoin: true,
    room: grant.room,
    canPublish: isAnyRuntime(grant.identity) && !grant.access,
    canSubscribe: !isRuntimeIdentity(grant.identity),
    canPublishData: grant.access !== 'watch',
    canUpdateOwnMetadata: false,
  };
  const { name, access, link, kind } = grant;
  const attributes = access
    ? { ...grant.attributes, ...(link && linkAttributes(link)), [ACCESS_ATTRIBUTE]: access }
    : grant.attributes;
  return sign(key, { name, video, attributes, kind: kind ?? undefined }, grant.identity, grant.issuedAtS, grant.ttlS);
}

/** What a token says that {@link signParticipantToken} or the SFU has signed. */
export interface SignedPlace {
  room: string;
  identity: string;
  name: string;
  endsAtS: number;
  /** The SFU keeps giving participants new tokens, with the same key and beyond the end of the first. They name a kind of participant. */
  kind: string | null;
  /** What a visitor may do; null of a token that names no access. */
  access: Access | null;
  /** The visitor's link; all null of any other token. */
  link: SignedLink;
}

/** Returns what a participant's token says. @returns null for one that has expired, that another signed, or that opens no room */
export async function readParticipantToken(
  { apiKey, apiSecret }: SigningKey,
  token: string,
  nowMs: number,
): Promise<SignedPlace | null> {
  try {
    const { payload } = await jwtVerify(token, new TextEncoder().encode(apiSecret), {
      algorithms: ['HS256'],
      issuer: apiKey,
      currentDate: new Date(nowMs),
      requiredClaims: ['exp', 'sub'],
    });
    const { sub: identity = '', exp: endsAtS = 0, kind, name, attributes } = payload;
    const { room, roomJoin } = (payload.video ?? {}) as { room?: unknown; roomJoin?: unknown };
    if (typeof room !== 'string' || roomJoin !== true) return null;
    return {
      room,
      identity,
      name: typeof name === 'string' ? name : '',
      endsAtS,
      kind: typeof kind === 'string' ? kind : null,
      access: accessOf(attributes),
      link: linkOf(attributes),
    };
  } catch {
    return null;
  }
}

/** A token for server calls about one room. */
export function signRoomAdminToken(key: SigningKey, room: string): Promise<string> {
  return sign(key, { video: { roomAdmin: true, room } }, 'control-service', Math.floor(Date.now() / 1000), ADMIN_TOKEN_TTL_S);
}

function sign(
  key: SigningKey,
  claims: Record<string, unknown>,
  subject: string,
  issuedAtS: number,
  ttlS: number,
): Promise<string> {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setIssuer(key.apiKey)
    .setSubject(subject)
    .setIssuedAt(issuedAtS)
    .setNotBefore(issuedAtS)
    .setExpirationTime(issuedAtS + ttlS)
    .sign(new TextEncoder().encode(key.apiSecret));
}
