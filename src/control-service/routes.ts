import {
  claimSchema,
  controlGrantSchema,
  controlOrderSchema,
  createSessionSchema,
  emergencyStopSchema,
  listQuerySchema,
  participantTokenSchema,
  semanticCommandSchema,
  sessionCommandSchema,
} from '../protocol/service/control-requests.ts';
import type { ServiceErrorCode } from '../protocol/service/service-errors.ts';
import { API_KEY_ROUTES } from './api-key-routes.ts';
import type { Face } from './faces.ts';
import { LINK_ROUTES } from './link-routes.ts';
import { claimRobot } from './operations/claim.ts';
import { semanticCommand, sessionCommand } from './operations/commands.ts';
import { createControlGrant } from './operations/control-grants.ts';
import { emergencyStop } from './operations/emergency-stop.ts';
import { getRobot } from './operations/lookup.ts';
import { orderControl } from './operations/owner-orders.ts';
import { createRobot, deleteRobot, listRobots, updateRobot } from './operations/robots.ts';
import { createParticipantToken, deleteSession, openSession, takeBackSession } from './operations/sessions.ts';
import { type Route, route } from './route.ts';
import { SESSION_STATE_ROUTES } from './session-state-routes.ts';

const ROBOTS = '/v1/robots';
const ROBOT = `${ROBOTS}/{robot_id}`;
const SESSION = `${ROBOT}/session`;
/** A credential that is not answered gives no access. */
const NOTHING_TO_TAKE_BACK = async (): Promise<void> => {};
const COMMAND_REFUSALS: ServiceErrorCode[] = [
  'robot.not_found',
  'session.not_found',
  'runtime.not_present',
  'runtime.ambiguous',
  'command.overtaken',
  'runtime.call_failed',
  'sfu.unavailable',
  'runtime.timeout',
];

/** Returns every operation of the service for one face. */
export function routesOf(face: Face): Route[] {
  return [
    route(
      {
        method: 'get',
        path: ROBOTS,
        operationId: 'listRobots',
        tag: 'Robots',
        summary: 'List your robots, oldest first',
        description: 'One page of the robots that are claimed by the account of the key. `after_id` need not be there any more.',
        query: listQuerySchema,
        answer: 'robots',
        refusals: [],
      },
      async ({ deps, caller }, { query }) => ({ kind: 'robots', ...(await listRobots(deps, caller, query)) }),
    ),
    route(
      {
        method: 'post',
        path: ROBOTS,
        operationId: 'createRobot',
        tag: 'Robots',
        summary: 'Create a virtual robot, claimed for you',
        description:
          'The answer holds the one-time `pin_code`: store it. The operator of the service issues a physical robot; accounts claim it.',
        body: face.createSchema,
        answer: 'created',
        refusals: [],
      },
      async ({ deps, caller }, { body }) => ({ kind: 'created', ...(await createRobot(deps, caller, body)) }),
    ),
    route(
      {
        method: 'get',
        path: ROBOT,
        operationId: 'getRobot',
        tag: 'Robots',
        summary: 'Get a robot',
        description: 'A robot of another account is not found.',
        answer: 'robot',
        refusals: ['robot.not_found'],
      },
      async ({ deps, caller, robotId }) => ({ kind: 'robot', robot: await getRobot(deps.db, caller, robotId) }),
    ),
    route(
      {
        method: 'patch',
        path: ROBOT,
        operationId: 'updateRobot',
        tag: 'Robots',
        summary: 'Rename a robot, or change its details',
        description: 'Fields that are absent stay as they are; a detail that is null goes back to its default.',
        body: face.updateSchema,
        bodyOptional: face.name === 'library',
        answer: 'robot',
        refusals: ['robot.not_found'],
      },
      async ({ deps, caller, robotId }, { body }) => ({ kind: 'robot', robot: await updateRobot(deps, caller, robotId, body) }),
    ),
    route(
      {
        method: 'delete',
        path: ROBOT,
        operationId: 'deleteRobot',
        tag: 'Robots',
        summary: 'Delete a robot and its session',
        description:
          'Its session is closed. A virtual robot is gone; a physical one has no owner and no PIN: the operator of the service gives it a new PIN.',
        answer: 'none',
        refusals: ['robot.not_found', 'session.busy', 'sfu.unavailable'],
      },
      async ({ deps, caller, robotId }) => {
        await deleteRobot(deps, caller, robotId);
        return { kind: 'none' };
      },
    ),
    route(
      {
        method: 'post',
        path: `${ROBOT}/claim`,
        operationId: 'claimRobot',
        tag: 'Robots',
        summary: 'Claim a robot with its PIN',
        description:
          'Gives the caller exclusive control of a robot that no other account has claimed. Claiming your own robot again changes nothing.',
        body: claimSchema,
        answer: 'robot',
        refusals: ['claim.wrong_pin', 'robot.not_found', 'claim.already_claimed', 'claim.pin_void', 'claim.rate_limited'],
      },
      async ({ deps, caller, robotId }, { body }) => ({
        kind: 'robot',
        robot: await claimRobot(deps, caller, robotId, body.pin_code),
      }),
    ),
    route(
      {
        method: 'post',
        path: SESSION,
        operationId: 'createSession',
        tag: 'Sessions',
        summary: 'Open the session of a robot, or join the open one',
        description:
          'Opens a room on the media server, sends the agents that `worker_names` lists, and answers a credential for the room, good for four hours. When a step fails, nothing of it stays.',
        body: createSessionSchema,
        bodyOptional: true,
        answer: 'session',
        refusals: ['robot.not_found', 'session.too_many_workers', 'session.busy', 'sfu.unavailable'],
        takeBack: async ({ deps }, outcome) => {
          // A session that other requests have opened stays theirs.
          if (outcome.kind === 'session' && outcome.isNew) await takeBackSession(deps, outcome.place);
        },
      },
      async ({ deps, caller, robotId, signal }, { body }) => {
        const { metadata, isNew, ...place } = await openSession(deps, caller, robotId, body, signal);
        return { kind: 'session', place, metadata, isNew };
      },
    ),
    route(
      {
        method: 'delete',
        path: SESSION,
        operationId: 'deleteSession',
        tag: 'Sessions',
        summary: 'Close the room of a robot and end its session',
        description: 'All participants are removed from the room. Without a session nothing changes, and the answer is the same.',
        answer: 'none',
        refusals: ['robot.not_found', 'session.busy', 'sfu.unavailable'],
      },
      async ({ deps, caller, robotId }) => {
        await deleteSession(deps, caller, robotId);
        return { kind: 'none' };
      },
    ),
    route(
      {
        method: 'post',
        path: `${SESSION}/participant-token`,
        operationId: 'createParticipantToken',
        tag: 'Sessions',
        summary: 'Get a further credential for the room of a robot',
        description:
          'Room keys are built from it. With `access: watch` its holder sees the robot and can do nothing: the media server takes no call and no data of it. A credential with an `access` is a link: its `link_id` revokes it.',
        body: participantTokenSchema,
        answer: 'participant',
        refusals: [
          'participant.wrong_robot',
          'participant.wrong_access',
          'robot.not_found',
          'session.not_found',
          'sfu.unavailable',
        ],
        takeBack: NOTHING_TO_TAKE_BACK,
      },
      async ({ deps, caller, robotId }, { body }) => {
        const { identity, expiresAt, linkId, ...place } = await createParticipantToken(deps, caller, robotId, body);
        return { kind: 'participant', place, identity, expiresAt, linkId };
      },
    ),
    route(
      {
        method: 'post',
        path: `${SESSION}/control-grant`,
        operationId: 'createControlGrant',
        tag: 'Sessions',
        summary: 'Get a grant for signed control',
        description:
          'A physical robot, and the worker profile of the simulator, take only signed calls. The grant allows the holder of the key to command the robot in this session; the holder puts it into every envelope (docs/protocol.md). It is not a secret: it is useless without the private key.',
        body: controlGrantSchema,
        answer: 'grant',
        refusals: ['robot.not_found', 'session.not_found', 'sfu.unavailable'],
        takeBack: NOTHING_TO_TAKE_BACK,
      },
      async ({ deps, caller, robotId }, { body }) => ({
        kind: 'grant',
        grant: await createControlGrant(deps, caller, robotId, body),
      }),
    ),
    route(
      {
        method: 'post',
        path: `${SESSION}/control`,
        operationId: 'orderControl',
        tag: 'Sessions',
        summary: 'Order who drives the robot from now on, or that no one does',
        description:
          'The owner takes the lease away from the present driver and gives it to `to`, a participant in the room, or with null to no one. Actions of the former driver end with `NOT_CONTROLLER`, the robot stands, and the room gets an event (`driver_changed`, `taken_over`, by `owner`). A new driver renews the lease as any other; a silent one loses it. Repeating is safe.',
        body: controlOrderSchema,
        answer: 'control',
        refusals: [
          'robot.not_found',
          'session.not_found',
          'runtime.not_present',
          'runtime.ambiguous',
          'control.no_driver',
          'control.unsupported',
          'control.overtaken',
          'sfu.unavailable',
          'control.unanswered',
        ],
      },
      async ({ deps, caller, robotId, signal }, { body }) => ({
        kind: 'control',
        result: await orderControl(deps, caller, robotId, body, signal),
      }),
    ),
    route(
      {
        method: 'post',
        path: `${SESSION}/command`,
        operationId: 'sessionCommand',
        tag: 'Commands',
        summary: 'Call a skill of the runtime and wait for its end',
        description:
          'The command is carried to the runtime in the room of the robot, and its result comes back as it is; an action that failed is answered with 200 and `status: failed`.',
        body: sessionCommandSchema,
        answer: 'command',
        refusals: COMMAND_REFUSALS,
        waits: true,
      },
      async ({ deps, caller, robotId, signal }, { body }) => ({
        kind: 'command',
        result: await sessionCommand(deps, caller, robotId, body, signal),
      }),
    ),
    route(
      {
        method: 'post',
        path: `${ROBOT}/semantic-command`,
        operationId: 'semanticCommand',
        tag: 'Commands',
        summary: 'Move a robot a little',
        description:
          'A short, bounded `set_velocity`. The answer comes when the robot stands again. When the runtime refuses or fails, the answer is 409 with the runtime’s own code (docs/reference/errors.md); 502 `runtime.call_failed` for a code that is not among those.',
        body: semanticCommandSchema,
        answer: 'accepted',
        refusals: [...COMMAND_REFUSALS, 'robot.not_stopped'],
        waits: true,
      },
      async ({ deps, caller, robotId, signal }, { body }) => {
        await semanticCommand(deps, caller, robotId, body.command, signal);
        return { kind: 'accepted' };
      },
    ),
    route(
      {
        method: 'post',
        path: `${ROBOT}/emergency-stop`,
        operationId: 'emergencyStop',
        tag: 'Commands',
        summary: 'Press the emergency stop of a robot',
        description:
          'Latches it here and at every runtime in the room of the robot: the base brakes, every action ends, no command is taken, also by a runtime that joins later. The answer comes when the runtimes report that the robot stands, after some seconds at most; `stands` has the result. Pressing again is safe and presses again. Only a person at the page of the robot releases it; there is no such request.',
        body: emergencyStopSchema,
        bodyOptional: true,
        answer: 'emergency',
        refusals: ['robot.not_found'],
        isUrgent: true,
      },
      async ({ deps, caller, robotId }, { body }) => ({
        kind: 'emergency',
        result: await emergencyStop(deps, caller, robotId, body.reason),
      }),
    ),
    ...SESSION_STATE_ROUTES,
    ...LINK_ROUTES,
    ...API_KEY_ROUTES,
  ];
}
