import type { SessionState } from '../protocol/service/session-state.ts';
import type { AnswerKind, Face, Outcome } from './faces.ts';

const ROBOT_ID = '0193f2c4-8a51-7c3e-9d10-5b7a2e4f6c81';
const ACCOUNT_ID = '0193f2c0-1b7d-7e02-8f3a-64c0d9e1a573';
const AT = new Date(Date.UTC(2026, 0, 5, 9, 30));
const EXPIRES_AT = new Date(AT.getTime() + 4 * 3_600_000);
const GRANT_ID = '0193f2c5-3d04-7f6b-8c92-7e1d0a5b4f29';
/** The key of RFC 8037, appendix A. */
const CONTROL_KEY = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' } as const;
const ROOM = {
  roomName: `robot-${ROBOT_ID}`,
  sfuUrl: 'wss://sfu.example.com',
  viewerUrl: 'https://robots.example.com',
  token: 'eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl',
};
const IDENTITY = `simplesim:${ROBOT_ID}`;
const ACTION_ID = 'tour-17';

export const EXAMPLE_REQUEST_ID = 'req_3f1c9a7e5b2d4860a1c3e5f7';
export const EXAMPLE_ROBOT_ID = ROBOT_ID;
export const EXAMPLE_KEY_ID = '0193f2c6-77a0-7d18-b1c4-2f9e6a0d3b85';

export const EXAMPLE_LINK_ID = '0193f2c7-0c31-7a94-a5e2-6d3b8f7e1029';

const KEY = {
  id: EXAMPLE_KEY_ID,
  accountId: ACCOUNT_ID,
  name: 'Sorting agent',
  prefix: 'sk_live_AbCd',
  createdAt: AT,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: AT,
} as const;

const ROBOT = {
  id: ROBOT_ID,
  ownerId: ACCOUNT_ID,
  model: 'simplesim-humanoid-1',
  name: 'Ada',
  issuedName: 'Ada',
  type: 'virtual',
  description: 'Sorts cubes',
  language: 'en',
  voice: 'piper',
  publicKey: null,
  pinHash: '',
  wrongPins: 0,
  createdBy: ACCOUNT_ID,
  createdAt: AT,
  updatedAt: AT,
} as const;

const IN_ROOM = { identity: IDENTITY, name: 'Ada', is_agent: false, joined_at: AT.toISOString() };
const SESSION_STATE: SessionState = {
  robot_id: ROBOT_ID,
  phase: 'open',
  opened_at: AT.toISOString(),
  participants: [IN_ROOM],
  participant_count: 1,
  runtime: {
    ...IN_ROOM,
    state: {
      status: 'busy',
      robot_status: 'moving',
      is_stopped: false,
      active_action: { name: 'go_to', phase: 'walking', started_at_ms: AT.getTime() + 60_000 },
      last_action: { name: 'pick_entity', status: 'done', finished_at_ms: AT.getTime() + 58_000 },
      driver: null,
      scene_id: 'warehouse',
      place: { x_m: 1.124, y_m: -0.507, yaw_deg: 31.5, age_ms: 840 },
      held_entity_ids: ['cube_3'],
    },
  },
};

/** Example outcomes of operations, from which each face builds its own example. */
const OUTCOMES: { [K in AnswerKind]: Extract<Outcome, { kind: K }> } = {
  robot: { kind: 'robot', robot: ROBOT },
  created: { kind: 'created', robot: ROBOT, pinCode: '042137' },
  robots: { kind: 'robots', robots: [ROBOT], nextId: null, total: 1 },
  session: {
    kind: 'session',
    place: ROOM,
    isNew: true,
    metadata: {
      robot_id: ROBOT_ID,
      status: 'active',
      required_participants: { [IDENTITY]: { min_count: 1 } },
      dispatches: {},
      dispatched_agent_names: [],
      scene_id: null,
      created_at: AT.toISOString(),
      control_keys: { keys: [{ ...CONTROL_KEY, kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k' }] },
    },
  },
  participant: { kind: 'participant', place: ROOM, identity: IDENTITY, expiresAt: EXPIRES_AT, linkId: null },
  grant: {
    kind: 'grant',
    grant: {
      grant: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImNvbnRyb2wtZ3JhbnQrand0In0.e30.c2lnbmF0dXJl',
      grantId: GRANT_ID,
      robotId: ROBOT_ID,
      session: ROOM.roomName,
      expiresAt: new Date(AT.getTime() + 3_600_000),
    },
  },
  command: {
    kind: 'command',
    result: {
      status: 'done',
      result: { applied: { vx: 0.5, vy: 0, wz: 0 }, moved: { dx: 0.5, dy: 0, dyaw: 0 } },
      meta: {
        action_id: ACTION_ID,
        started_at_ms: AT.getTime(),
        finished_at_ms: AT.getTime() + 1_400,
        duration_ms: 1_400,
      },
    },
  },
  emergency: {
    kind: 'emergency',
    result: {
      robot_id: ROBOT_ID,
      emergency_stop: { by: 'over HTTP', since_ms: AT.getTime(), reason: 'A person is in the aisle' },
      stands: true,
      stored: true,
      runtimes: [{ identity: IDENTITY, stands: true, after_ms: 410, problem: null }],
    },
  },
  control: {
    kind: 'control',
    result: {
      robot_id: ROBOT_ID,
      driver: null,
      previous: { identity: 'client:agent', name: 'Sorting agent', kind: 'agent', since_ms: AT.getTime() - 60_000 },
    },
  },
  accepted: { kind: 'accepted' },
  session_state: { kind: 'session_state', state: SESSION_STATE },
  sessions: { kind: 'sessions', states: [SESSION_STATE], nextId: null, total: 1 },
  links: {
    kind: 'links',
    links: [
      {
        id: EXAMPLE_LINK_ID,
        robotId: ROBOT_ID,
        roomName: ROOM.roomName,
        identity: 'operator-5f1c',
        name: 'Ada',
        access: 'drive',
        createdAt: AT,
        endsAt: EXPIRES_AT,
        revokedAt: null,
      },
    ],
    nextId: null,
    total: 1,
  },
  api_keys: { kind: 'api_keys', keys: [KEY], nextId: null, total: 1, ownKeyId: EXAMPLE_KEY_ID },
  api_key_created: { kind: 'api_key_created', key: 'sk_live_AbCd…', row: { ...KEY, lastUsedAt: null } },
};

/** The answer of an operation, in the form of the face. */
export const exampleAnswer = (face: Face, kind: AnswerKind): unknown => face.present(OUTCOMES[kind]);

/** The body of a request, by operation. */
export const EXAMPLE_BODIES: Record<string, unknown> = {
  createRobot: { name: 'Ada', model: 'simplesim-humanoid-1', type: 'virtual' },
  updateRobot: { name: 'Bea' },
  claimRobot: { pin_code: '042137' },
  createSession: { worker_names: [] },
  createParticipantToken: { participant_identity: IDENTITY, ttl_seconds: 14_400 },
  createControlGrant: { public_key: CONTROL_KEY, holder: 'tour.py', ttl_seconds: 3_600 },
  sessionCommand: {
    skill: 'set_velocity',
    parameters: { vx: 0.5, duration_s: 1 },
    action_id: ACTION_ID,
    deadline_s: 30,
  },
  semanticCommand: { command: 'forward' },
  createApiKey: { name: 'Sorting agent', ttl_seconds: 7_776_000 },
  orderControl: { to: null },
  emergencyStop: { reason: 'A person is in the aisle' },
};
