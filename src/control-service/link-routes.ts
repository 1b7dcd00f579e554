import { linksQuerySchema } from '../protocol/service/control-requests.ts';
import { revokeLink } from './operations/closed-links.ts';
import { listLinks } from './operations/links.ts';
import { type Route, route } from './route.ts';

const LINKS = '/v1/robots/{robot_id}/session/links';

/** The operations on the links of a session, the same on both faces. */
export const LINK_ROUTES: Route[] = [
  route(
    {
      method: 'get',
      path: LINKS,
      operationId: 'listLinks',
      tag: 'Sessions',
      summary: 'List the links of the session of a robot, oldest first',
      description:
        'One page of the valid links to watch and to drive: what each allows, and until when. Links that have ended or were revoked are not listed. Without a session the list is empty.',
      query: linksQuerySchema,
      answer: 'links',
      refusals: ['robot.not_found'],
    },
    async ({ deps, caller, robotId }, { query }) => ({ kind: 'links', ...(await listLinks(deps, caller, robotId, query)) }),
  ),
  route(
    {
      method: 'delete',
      path: `${LINKS}/{link_id}`,
      operationId: 'revokeLink',
      tag: 'Sessions',
      summary: 'Revoke a link to a robot',
      description:
        'The link no longer gives a place, a control grant or a press of the emergency stop. The robot rejects the commands of its pages, and they are removed from the room within seconds. Repeating is safe. A link of a service without this operation has no id: it expires, or ends with its session.',
      answer: 'none',
      refusals: ['robot.not_found', 'link.not_found'],
    },
    async ({ deps, caller, robotId, linkId }) => {
      await revokeLink(deps, caller, robotId, linkId);
      return { kind: 'none' };
    },
  ),
];
