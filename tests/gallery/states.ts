/** The states of the page that the gallery shows and page tests open, made by the builders of the unit tests. */
import { PAGE, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import type { Driver } from '../../src/protocol/wire/driver.ts';
import { runtimeError } from '../../src/protocol/wire/error-codes.ts';
import type { RuntimeProfile } from '../../src/protocol/wire/profile.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import type { EndReason } from '../../src/room/connection-state.ts';
import { endOf } from '../../src/room/ends.ts';
import { visitEndOf } from '../../src/room/visitor-ends.ts';
import { LOCAL_ROBOT_NAME } from '../../src/viewer/engine/engine-rules.ts';
import { initialLoading } from '../../src/viewer/engine/store.ts';
import type { ActionView, ParticipantView, ViewerState } from '../../src/viewer/engine/types.ts';
import { actionView, runtimeState, VISIT } from '../ui/examples.ts';
import { rcwState, STANDING } from '../ui/rcw-examples.ts';
import type { Recordings } from './recorded.ts';

/** One page of the gallery. */
export interface GalleryState {
  /** A short description of the page, for the list. */
  says: string;
  state: Partial<ViewerState>;
  /** The recorded world that contains it. @default that of the robot's contract */
  world?: keyof Recordings;
  /** Keys that are pressed as soon as the interface exists. */
  keys?: readonly string[];
  /** The rest of the address, if the page is an embedded frame. */
  embed?: string;
}

const NOW_MS = Date.now();
const LOADED = initialLoading().map((part) => ({ ...part, fraction: 1, done: true }));
const SELF: ParticipantView = { identity: 'simplesim:robot-1', name: 'Ada', joinedAtMs: NOW_MS - 600_000, isSelf: true };
const SORTER: ParticipantView = { identity: 'sorter', name: 'Sorting agent', joinedAtMs: NOW_MS - 300_000, isSelf: false };
const IN_ROOM = [SELF, SORTER];

/** Returns a robot in its room, together with a program. @param change the differences */
export function inRoom(change: Partial<ViewerState> = {}): Partial<ViewerState> {
  const profile = change.profile ?? 'simulator';
  return {
    phase: 'live',
    profile,
    robot: { id: 'robot-1', name: 'Ada' },
    keeping: 'kept',
    loading: LOADED,
    connection: { kind: 'connected' },
    participants: IN_ROOM,
    known: IN_ROOM,
    runtime: profile === 'worker' ? rcwState() : runtimeState(),
    stepsPerSecond: 120,
    ...change,
  };
}

/** Returns a robot of this tab alone. @param change the differences */
export const inThisTab = (change: Partial<ViewerState> = {}): Partial<ViewerState> =>
  inRoom({
    local: true,
    robot: { id: null, name: LOCAL_ROBOT_NAME },
    connection: { kind: 'idle' },
    participants: [],
    known: [],
    ...change,
  });

/** Returns a state of the robot with these facts in its extra part. */
export const withExtra = (state: RuntimeState, extra: Partial<RuntimeState['robot']['extra']>): RuntimeState => ({
  ...state,
  robot: { ...state.robot, extra: { ...state.robot.extra, ...extra } },
});

/** Returns a robot whose emergency stop is latched. @param by the person who pressed, as the room names them */
export function stoppedState(profile: RuntimeProfile = 'simulator', by = "the robot's page"): RuntimeState {
  const refusal = runtimeError('NOT_READY', 'The emergency stop is latched.', { latched_by: by });
  const state =
    profile === 'worker' ? rcwState({ emergency_stop: true, not_ready: refusal, upper_body: { mode: 'damp' } }) : runtimeState();
  return withExtra(
    {
      ...state,
      runtime: { ...state.runtime, status: 'error', accepts_tool_calls: false },
      robot: { ...state.robot, status: 'error' },
    },
    { emergency_stop: { by, since_ms: NOW_MS - 20_000, reason: null } },
  );
}

/** Returns a robot that carries out these actions. */
export function busyState(state: RuntimeState, [active]: readonly ActionView[]): RuntimeState {
  return {
    ...state,
    runtime: {
      ...state.runtime,
      status: 'busy',
      ...(active && {
        active_action: {
          action_id: active.actionId,
          kind: active.kind,
          name: active.name,
          started_at_ms: active.startedAtMs,
          phase: active.phase,
        },
      }),
    },
    robot: { ...state.robot, status: 'moving' },
  };
}

/** Returns a running skill. @param change the differences */
export const runningAction = (change: Partial<ActionView> = {}): ActionView =>
  actionView({
    actionId: 'a-running',
    name: 'go_to',
    input: { target: { kind: 'entity', entity_id: 'pad_B' } },
    caller: unsignedCaller(SORTER.identity),
    phase: 'walking',
    status: 'running',
    startedAtMs: NOW_MS - 4_000,
    finishedAtMs: null,
    result: null,
    ...change,
  });

/** Returns a robot of the physical contract whose arms follow poses. */
export function posedState(): RuntimeState {
  const posing = runningAction({ name: 'set_upper_body', input: STANDING, caller: PAGE, phase: 'following' });
  const state = rcwState({ upper_body: { mode: 'trajectory', commanded: STANDING, packet_age_ms: 4 } }, NOW_MS);
  const { runtime } = busyState(state, [posing]);
  return { ...state, runtime };
}

/** Returns a robot that a person drives. @param change the differences */
export const drivenState = (change: Partial<Driver> = {}, state: RuntimeState = runtimeState()): RuntimeState =>
  withExtra(state, {
    driver: {
      identity: SORTER.identity,
      name: SORTER.name,
      kind: 'agent',
      since_ms: NOW_MS - 60_000,
      asked_by: [],
      ...change,
    },
  });

const PERSON: Partial<Driver> = { identity: null, name: "the robot's page", kind: 'person' };
const FACTS = { nowMs: NOW_MS, expiresAtMs: NOW_MS, profile: 'simulator' } as const;

/** Returns a page whose stay in the room has ended. */
export const ended = (reason: EndReason): Partial<ViewerState> =>
  inRoom({ phase: 'ended', connection: { kind: 'ended', ...endOf(reason, FACTS) }, participants: [], known: [] });

const running = [runningAction()];
const refused = actionView({
  actionId: 'a-refused',
  name: 'place_entity',
  input: { target: { kind: 'entity', entity_id: 'pad_B' } },
  error: runtimeError('HANDS_EMPTY', 'The robot holds nothing.', { hint: 'Pick something up first.' }),
  startedAtMs: NOW_MS - 9_000,
  finishedAtMs: NOW_MS - 9_000,
});
const headTurned = actionView({
  actionId: 'a-head',
  name: 'set_head',
  input: { yaw: 0.3 },
  startedAtMs: NOW_MS - 12_000,
  finishedAtMs: NOW_MS - 11_500,
});
const visit = {
  ...VISIT,
  status: { runtime: 'ready', robot: 'ready', action: null, phase: null, emergencyStop: false, driver: null },
};
/** The operator of a page that drives remotely. */
export const OPERATOR: ParticipantView = { identity: 'operator-1', name: 'Grace', joinedAtMs: NOW_MS - 5_000, isSelf: true };
/** Returns the participants in the room of such a page. @param name the operator's name */
export const visitors = (name = OPERATOR.name): ParticipantView[] => [
  { ...SELF, isSelf: false },
  { ...OPERATOR, name },
];
/** Returns the page of a visitor. @param change the differences */
const visiting = (change: Partial<ViewerState>): Partial<ViewerState> =>
  inRoom({ visit, keeping: 'no', participants: visitors(), known: visitors(), ...change });

const table = {
  gate: { says: 'the gate', state: {} },
  'gate-refused': {
    says: 'the gate, with a key that the server refuses',
    state: { gateProblem: endOf('refused', FACTS).message },
  },
  loading: {
    says: 'the robot is loading',
    state: {
      phase: 'loading',
      robot: { id: 'robot-1', name: 'Ada' },
      connection: { kind: 'joining' },
      loading: initialLoading().map((part, at) => ({ ...part, fraction: at === 0 ? 1 : 0.4, done: at === 0 })),
    },
  },
  ready: { says: 'a robot in its room', state: inRoom({ actions: [refused, headTurned] }) },
  'this-tab': { says: 'a robot of this tab alone', state: inThisTab() },
  hall: { says: 'the picker in the hall', state: inThisTab({ robotKind: 'picker' }), world: 'hall' },
  running: {
    says: 'a skill runs',
    state: inRoom({ actions: [...running, headTurned], runtime: busyState(runtimeState(), running) }),
  },
  driving: { says: 'a person drives by hand', state: inThisTab(), keys: ['g'] },
  driven: { says: 'an agent drives', state: inRoom({ runtime: drivenState() }) },
  'you-drive': { says: 'this page drives alone', state: inRoom({ runtime: drivenState(PERSON) }) },
  asked: {
    says: 'an agent asks for the robot that this page drives',
    state: inRoom({
      runtime: drivenState({
        ...PERSON,
        asked_by: [{ identity: SORTER.identity, name: SORTER.name, kind: 'agent', since_ms: NOW_MS - 2_000 }],
      }),
    }),
  },
  stopped: { says: 'the emergency stop is latched', state: inRoom({ runtime: stoppedState() }) },
  silent: {
    says: 'nothing comes over the connection',
    state: inRoom({ connection: { kind: 'silent', sinceMs: NOW_MS - 6_000 } }),
  },
  reconnecting: {
    says: 'the connection is interrupted',
    state: inRoom({ connection: { kind: 'reconnecting', sinceMs: NOW_MS - 12_000 } }),
  },
  rejoining: {
    says: 'the page joins the room again',
    state: inRoom({ connection: { kind: 'rejoining', attempt: 3, reason: 'The connection to the room was lost.' } }),
  },
  left: { says: 'the person left the room', state: ended('left') },
  'taken-over': { says: 'another page took the robot over', state: ended('taken_over') },
  elsewhere: { says: 'another tab is this robot', state: ended('held_elsewhere') },
  expired: { says: 'the key has expired', state: ended('key_expired') },
  'physical-arms': {
    says: 'a robot of the physical contract in its room, with arms that follow poses',
    state: inRoom({ profile: 'worker', runtime: posedState() }),
  },
  'physical-stopped': {
    says: 'a robot of the physical contract in its room, with the emergency stop latched',
    state: inRoom({ profile: 'worker', runtime: stoppedState('worker') }),
  },
  physical: { says: 'a robot of the physical contract', state: inThisTab({ profile: 'worker' }) },
  cockpit: { says: 'the cockpit of the physical contract', state: inThisTab({ profile: 'worker' }), keys: ['g'] },
  'cockpit-arms': {
    says: 'the cockpit, with arms that follow poses',
    state: inThisTab({ profile: 'worker', runtime: posedState() }),
    keys: ['g'],
  },
  'cockpit-stopped': {
    says: 'the cockpit, with the emergency stop latched',
    state: inThisTab({ profile: 'worker', runtime: stoppedState('worker') }),
    keys: ['g'],
  },
  unsigned: {
    says: 'a robot of the physical contract that accepts unsigned calls, with a velocity that holds',
    state: inRoom({
      profile: 'worker',
      runtime: rcwState({ signed_only: false, velocity_holds: true }, NOW_MS, { vx: 0, vy: 0, wz: 0.05 }),
    }),
  },
  watching: {
    says: 'a page that watches',
    state: visiting({ visit: { ...visit, access: 'watch' }, runtime: null, statusText: 'Ready' }),
  },
  operating: { says: 'a page that drives from afar', state: visiting({}) },
  'operating-physical': {
    says: 'a page that drives a robot of the physical contract from afar',
    state: visiting({ profile: 'worker' }),
  },
  'visit-stopped': {
    says: 'a page that drives from afar, with the emergency stop latched',
    state: visiting({ visit: { ...visit, isStopped: true }, runtime: stoppedState() }),
  },
  'visit-away': {
    says: 'a page that watches a robot that is away',
    state: visiting({
      visit: {
        ...VISIT,
        access: 'watch',
        robotIsThere: false,
        offlineSinceMs: NOW_MS - 90_000,
        freshness: 'lost',
        ageMs: 90_000,
      },
      runtime: null,
      statusText: 'Offline',
    }),
  },
  'visit-over': {
    says: 'a visit that is over',
    state: visiting({
      phase: 'ended',
      connection: { kind: 'ended', ...visitEndOf('link_revoked', { ...FACTS, access: 'watch' }) },
    }),
  },
  frame: { says: 'a frame of another page', state: inThisTab(), embed: 'try=1&panels=skills,drive' },
  'frame-stopped': {
    says: 'a frame, with the emergency stop latched',
    state: inThisTab({ runtime: stoppedState() }),
    embed: 'try=1&panels=skills,drive',
  },
  'frame-waiting': { says: 'a frame that waits for its key', state: {}, embed: 'panels=skills' },
  'scene-refused': {
    says: 'a scene file that is refused',
    state: inThisTab({
      fileRefusal: {
        kind: 'scene',
        name: 'own.json',
        problems: [{ path: 'pads[0].position[2]', reason: 'must be 0.6 m, the top of table_1; it is 0.5.' }],
      },
    }),
  },
} satisfies Record<string, GalleryState>;

export type StateName = keyof typeof table;
export const STATES: Readonly<Record<StateName, GalleryState>> = table;
/** The state of a frame whose address names no state, like the frame of an element. */
export const FRAME_STATE: StateName = 'frame';
/** Returns whether the gallery has a state of this name. */
export const isStateName = (name: string): name is StateName => name in STATES;
