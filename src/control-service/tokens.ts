import { jwtVerify, SignJWT } from 'jose';
import { ACCESS_ATTRIBUTE, type Access, accessOf, linkAttributes, linkOf, type SignedLink } from '../protocol/service/access.ts';
import { isRuntimeIdentity, profileOfIdentity } from '../protocol/wire/identity.ts';

/** A credential for a room, for one identity and a limited time. */
export interface ParticipantGrant {
  room: string;
  identity: string;
  /** Display name. */
  name: string;
  issuedAtS: number;
  ttlS: number;
  /** LiveKit attributes, which all participants see and the holder cannot change. @default none */
  attributes?: Record<string, string>;
  /** The visitor's access; it becomes an attribute. @default null: all that its identity may do */
  access?: Access | null;
  /** The visitor's link, which becomes attributes. @default none */
  link?: SignedLink;
  /** As in tokens that the SFU issues to participants. @default none */
  kind?: string | null;
}

interface SigningKey {
  apiKey: string;
  apiSecret: string;
}

/** Lifetime of an admin token, which is signed for a single server call, in seconds. */
const ADMIN_TOKEN_TTL_S = 60;
/** Whether this identity is a robot's runtime, of any kind. */
export const isAnyRuntime = (identity: string): boolean => profileOfIdentity(identity) !== null;

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the robot whose runtime this identity claims to be; null if it names no robot (`simplesim`, `rcw-left`, a client). */
export function robotOfRuntime(identity: string): string | null {
  const [, name, separator, rest = ''] = /^(simplesim|rcw)([:-])(.*)$/s.exec(identity) ?? [];
  if (name === undefined) return null;
  // The viewer accepts any text after `simplesim:` as its robot. The other forms may contain names that are not robot ids.
  return (name === 'simplesim' && separator === ':') || UUID.test(rest) ? rest : null;
}

/**
 * Returns a LiveKit access token for one room, with the least rights that work:
 * - `roomJoin`: without it the SFU rejects the participant.
 * - `canPublishData`: without it calls go unanswered, and the runtime's replies and pictures are lost. Participants that may
 *   only watch do not get it.
 * - `canPublish`: media, for runtimes alone (a robot's cameras). Calls and byte streams do not need it.
 * - `canSubscribe`: media of others, for participants that watch or listen; the simulator's tab does neither.
 * The holder cannot change metadata, attributes, the identity or the room, and cannot administer anything.
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

/** The content of a token that {@link signParticipantToken} or the SFU has signed. */
export interface SignedPlace {
  room: string;
  identity: string;
  name: string;
  endsAtS: number;
  /**
   * The SFU keeps issuing new tokens to participants, with the same key and beyond the end of the first. They name a kind of
   * participant.
   */
  kind: string | null;
  /** The visitor's access; null for a token that names no access. */
  access: Access | null;
  /** The visitor's link; all fields are null for any other token. */
  link: SignedLink;
}

/**
 * Returns the content of a participant's token.
 * @returns null for an expired token, one with a foreign signature, or one that opens no room
 */
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
