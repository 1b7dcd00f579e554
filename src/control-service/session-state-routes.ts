import { sessionsQuerySchema } from '../protocol/service/control-requests.ts';
import { listSessionStates, readSessionState } from './operations/session-state.ts';
import { type Route, route } from './route.ts';

/** The operations that read sessions without changing them, the same on both faces. */
export const SESSION_STATE_ROUTES: Route[] = [
  route(
    {
      method: 'get',
      path: '/v1/robots/{robot_id}/session',
      operationId: 'getSession',
      tag: 'Sessions',
      summary: 'See how the session of a robot is just now',
      description:
        'Whether there is one, who is in its room, whether the runtime is there and what it does. Reading does not count as use of the session: an unused session ends all the same.',
      answer: 'session_state',
      refusals: ['robot.not_found', 'sfu.unavailable'],
    },
    async ({ deps, caller, robotId }) => ({ kind: 'session_state', state: await readSessionState(deps, caller, robotId) }),
  ),
  route(
    {
      method: 'get',
      path: '/v1/sessions',
      operationId: 'listSessions',
      tag: 'Sessions',
      summary: 'See how the sessions of all your robots are just now',
      description:
        'One page of the sessions of the robots of your account, in the order of the robots, each as `getSession` answers it; a robot without a session is not among them. However many ask, a room is looked into once in two seconds, so a state may be that old.',
      query: sessionsQuerySchema,
      answer: 'sessions',
      refusals: ['sfu.unavailable'],
    },
    async ({ deps, caller }, { query }) => ({ kind: 'sessions', ...(await listSessionStates(deps, caller, query)) }),
  ),
];
