import type { Access } from '../protocol/service/access.ts';
import type { Client } from './client.ts';
import { randomId } from './internal/wait.ts';
import type { RequestOptions } from './options.ts';
import { namedViewer, roomKeyOf, viewerBase } from './room-keys.ts';

/** Options of a link for people who watch or operate a robot that runs elsewhere. */
export interface VisitorUrlOptions extends RequestOptions {
  /** Address of the viewer. @default viewerUrl of the client, else what the service reports */
  viewerBaseUrl?: string;
  /** Lifetime in seconds. @default 14 400, at most 21 600 */
  ttlS?: number;
  /** Name that others in the room see. @default 'watcher' or 'operator' */
  participantName?: string;
}

/**
 * Returns a link that shows the robot's world live, to any number of viewers. Viewers can only watch: the media server accepts no
 * calls and no data from them. The robot's session must be open. The link contains no API key.
 * @throws PlatformAPIError `session.not_found` when no session is open; PlatformSDKError when `viewerBaseUrl` is not a valid
 * address
 */
export function generateWatchUrl(client: Client, robotId: string, options: VisitorUrlOptions = {}): Promise<string> {
  return visitorUrl(client, robotId, 'watch', 'watcher', options);
}

/**
 * Returns a link for an operator. Any person who opens it may call the robot, as any program in its room. Treat the link as a
 * secret, like a private meeting link.
 * @throws as `generateWatchUrl`
 */
export function generateOperatorUrl(client: Client, robotId: string, options: VisitorUrlOptions = {}): Promise<string> {
  return visitorUrl(client, robotId, 'drive', 'operator', options);
}

async function visitorUrl(
  client: Client,
  robotId: string,
  access: Access,
  kind: string,
  { viewerBaseUrl, participantName = kind, ...rest }: VisitorUrlOptions,
): Promise<string> {
  const named = namedViewer(client, viewerBaseUrl);
  const token = await client.robots.createParticipantToken(robotId, {
    ...rest,
    access,
    participantName,
    participantIdentity: randomId(kind),
  });
  return `${viewerBase(named, token)}/?key=${roomKeyOf(token)}`;
}
