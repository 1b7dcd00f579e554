import type { z } from 'zod';
import type { ApiKey } from '../protocol/service/api-keys.ts';
import {
  createRobotSchema,
  libraryCreateRobotSchema,
  libraryUpdateRobotSchema,
  ROBOT_DEFAULTS,
  updateRobotSchema,
} from '../protocol/service/control-requests.ts';
import {
  type ControlOrderResult,
  type LibraryRobot,
  PLATFORM_CREATOR,
  type Robot,
  type RoomMetadata,
} from '../protocol/service/control-service.ts';
import { LIBRARY_ANSWERS, PUBLIC_ANSWERS } from '../protocol/service/face-answers.ts';
import type { SessionLink } from '../protocol/service/session-links.ts';
import type { SessionState } from '../protocol/service/session-state.ts';
import type { ActionResult, Guard } from '../protocol/wire/action.ts';
import type { EmergencyStopResult } from '../protocol/wire/emergency-stop.ts';
import type { ApiKeyRow } from './operations/api-keys.ts';
import type { ControlGrant } from './operations/control-grants.ts';
import type { LinkRow } from './operations/links.ts';
import type { RobotRow } from './operations/lookup.ts';
import type { RoomPlace } from './operations/sessions.ts';

/** The result of an operation, independent of the face. */
export type Outcome =
  | { kind: 'robot'; robot: RobotRow }
  | { kind: 'created'; robot: RobotRow; pinCode: string }
  | { kind: 'robots'; robots: RobotRow[]; nextId: string | null; total: number }
  | { kind: 'session'; place: RoomPlace; metadata: RoomMetadata; isNew: boolean }
  | { kind: 'participant'; place: RoomPlace; identity: string; expiresAt: Date; linkId: string | null }
  | { kind: 'grant'; grant: ControlGrant }
  | { kind: 'command'; result: ActionResult | Guard }
  | { kind: 'emergency'; result: EmergencyStopResult }
  | { kind: 'control'; result: ControlOrderResult }
  | { kind: 'accepted' }
  | { kind: 'session_state'; state: SessionState }
  | { kind: 'sessions'; states: SessionState[]; nextId: string | null; total: number }
  | { kind: 'links'; links: LinkRow[]; nextId: string | null; total: number }
  | { kind: 'api_keys'; keys: ApiKeyRow[]; nextId: string | null; total: number; ownKeyId: string }
  | { kind: 'api_key_created'; key: string; row: ApiKeyRow }
  | { kind: 'none' };

/** The kinds of outcome that have a body. */
export type AnswerKind = Exclude<Outcome['kind'], 'none'>;

/** A face: one of the two wordings of the same operations. */
export interface Face {
  name: 'public' | 'library';
  /** The path before `/v1/…`. */
  prefix: string;
  answers: Record<AnswerKind, z.ZodType>;
  createSchema: typeof createRobotSchema | typeof libraryCreateRobotSchema;
  updateSchema: typeof updateRobotSchema | typeof libraryUpdateRobotSchema;
  present: (outcome: Exclude<Outcome, { kind: 'none' }>) => unknown;
}

type PublicAnswer<K extends AnswerKind> = z.input<(typeof PUBLIC_ANSWERS)[K]>;
type LibraryAnswer<K extends AnswerKind> = z.input<(typeof LIBRARY_ANSWERS)[K]>;

export const PUBLIC_FACE: Face = {
  name: 'public',
  prefix: '',
  answers: PUBLIC_ANSWERS,
  createSchema: createRobotSchema,
  updateSchema: updateRobotSchema,
  present: (outcome): PublicAnswer<AnswerKind> => {
    const code = 'ok';
    switch (outcome.kind) {
      case 'robot':
        return { code, result: publicRobot(outcome.robot) } satisfies PublicAnswer<'robot'>;
      case 'created':
        return { code, result: publicRobot(outcome.robot), pin_code: outcome.pinCode } satisfies PublicAnswer<'created'>;
      case 'robots': {
        const { nextId, total } = outcome;
        return { code, result: outcome.robots.map(publicRobot), next_id: nextId, total } satisfies PublicAnswer<'robots'>;
      }
      case 'session': {
        const { sfuUrl, token } = outcome.place;
        return { code, result: { sfu_endpoint: sfuUrl, webrtc_token: token } } satisfies PublicAnswer<'session'>;
      }
      case 'participant':
        return { code, result: participant(outcome) } satisfies PublicAnswer<'participant'>;
      case 'grant':
        return { code, result: controlGrant(outcome.grant) } satisfies PublicAnswer<'grant'>;
      case 'command':
        return { code, result: outcome.result } satisfies PublicAnswer<'command'>;
      case 'emergency':
        return { code, result: outcome.result } satisfies PublicAnswer<'emergency'>;
      case 'control':
        return { code, result: outcome.result } satisfies PublicAnswer<'control'>;
      case 'accepted':
        return { code, result: null } satisfies PublicAnswer<'accepted'>;
      case 'session_state':
        return { code, result: outcome.state } satisfies PublicAnswer<'session_state'>;
      case 'sessions': {
        const { states, nextId, total } = outcome;
        return { code, result: states, next_id: nextId, total } satisfies PublicAnswer<'sessions'>;
      }
      case 'links': {
        const { nextId, total } = outcome;
        return { code, result: outcome.links.map(sessionLink), next_id: nextId, total } satisfies PublicAnswer<'links'>;
      }
      case 'api_keys': {
        const { nextId, total } = outcome;
        return { code, result: apiKeysOf(outcome), next_id: nextId, total } satisfies PublicAnswer<'api_keys'>;
      }
      case 'api_key_created':
        return { code, result: apiKey(outcome.row), api_key: outcome.key } satisfies PublicAnswer<'api_key_created'>;
    }
  },
};

export const LIBRARY_FACE: Face = {
  name: 'library',
  prefix: '/rcs',
  answers: LIBRARY_ANSWERS,
  createSchema: libraryCreateRobotSchema,
  updateSchema: libraryUpdateRobotSchema,
  present: (outcome): LibraryAnswer<AnswerKind> => {
    switch (outcome.kind) {
      case 'robot':
        return libraryRobot(outcome.robot);
      case 'created':
        return { robot: libraryRobot(outcome.robot), pin_code: outcome.pinCode } satisfies LibraryAnswer<'created'>;
      case 'robots': {
        const { nextId, total } = outcome;
        return { robots: outcome.robots.map(libraryRobot), next_id: nextId, total } satisfies LibraryAnswer<'robots'>;
      }
      case 'session': {
        const { roomName, sfuUrl, viewerUrl, token } = outcome.place;
        return {
          room_name: roomName,
          livekit_url: sfuUrl,
          ...viewerOf(viewerUrl),
          participant_token: token,
          room_metadata: outcome.metadata,
          is_new: outcome.isNew,
        } satisfies LibraryAnswer<'session'>;
      }
      case 'participant':
        return participant(outcome);
      case 'grant':
        return controlGrant(outcome.grant);
      case 'command':
      case 'emergency':
      case 'control':
        return outcome.result;
      case 'accepted':
        return { code: 'ok', result: null } satisfies LibraryAnswer<'accepted'>;
      case 'session_state':
        return outcome.state;
      case 'sessions': {
        const { states, nextId, total } = outcome;
        return { sessions: states, next_id: nextId, total } satisfies LibraryAnswer<'sessions'>;
      }
      case 'links': {
        const { nextId, total } = outcome;
        return { links: outcome.links.map(sessionLink), next_id: nextId, total } satisfies LibraryAnswer<'links'>;
      }
      case 'api_keys': {
        const { nextId, total } = outcome;
        return { keys: apiKeysOf(outcome), next_id: nextId, total } satisfies LibraryAnswer<'api_keys'>;
      }
      case 'api_key_created':
        return { key: apiKey(outcome.row), api_key: outcome.key } satisfies LibraryAnswer<'api_key_created'>;
    }
  },
};

const publicRobot = ({ id, model, name, type }: RobotRow): Robot => ({ id, model, name, type });

const libraryRobot = (row: RobotRow): LibraryRobot => {
  // Only its owner reads a robot, so the owner exists.
  const account = row.ownerId ?? '';
  return {
    ...publicRobot(row),
    description: row.description ?? ROBOT_DEFAULTS.description,
    language: row.language ?? ROBOT_DEFAULTS.language,
    voice: row.voice ?? ROBOT_DEFAULTS.voice,
    // Teams are not separated here: an account is an organization of one team.
    team_id: account,
    organization_id: account,
    created_by: row.createdBy ?? PLATFORM_CREATOR,
    public_key: row.publicKey,
    created_at: row.createdAt.toISOString(),
    updated_at: row.updatedAt.toISOString(),
  };
};

const controlGrant = ({ grant, grantId, robotId, session, expiresAt }: ControlGrant): LibraryAnswer<'grant'> => ({
  grant,
  grant_id: grantId,
  robot_id: robotId,
  session,
  expires_at: expiresAt.toISOString(),
});

const viewerOf = (viewerUrl: string | null) => (viewerUrl === null ? {} : { viewer_url: viewerUrl });

const participant = ({
  place,
  identity,
  expiresAt,
  linkId,
}: Extract<Outcome, { kind: 'participant' }>): LibraryAnswer<'participant'> => ({
  room_name: place.roomName,
  livekit_url: place.sfuUrl,
  ...viewerOf(place.viewerUrl),
  participant_token: place.token,
  participant_identity: identity,
  expires_at: expiresAt.toISOString(),
  ...(linkId === null ? {} : { link_id: linkId }),
});

const sessionLink = ({ id, access, identity, name, createdAt, endsAt }: LinkRow): SessionLink => ({
  id,
  access,
  participant_identity: identity,
  participant_name: name,
  created_at: createdAt.toISOString(),
  expires_at: endsAt.toISOString(),
});

const apiKeysOf = ({ keys, ownKeyId }: Extract<Outcome, { kind: 'api_keys' }>): ApiKey[] =>
  keys.map((row) => apiKey(row, ownKeyId));

const apiKey = ({ id, prefix, name, createdAt, expiresAt, lastUsedAt }: ApiKeyRow, ownKeyId?: string): ApiKey => ({
  id,
  prefix,
  name,
  created_at: createdAt.toISOString(),
  expires_at: expiresAt?.toISOString() ?? null,
  last_used_at: lastUsedAt?.toISOString() ?? null,
  is_own: id === ownKeyId,
});
