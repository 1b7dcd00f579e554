import type { ParticipantToken } from '../protocol/control-service.ts';
import { runtimeIdentity } from '../protocol/identity.ts';
import type { RuntimeProfile } from '../protocol/profile.ts';
import { encodeRoomKey, TAKE_OVER_FRAGMENT } from '../protocol/room-key.ts';
import type { Client } from './client.ts';
import { internalSettings } from './internal/client-settings.ts';
import { DEFAULT_VIEWER_URL, httpUrl } from './internal/settings.ts';
import type { RequestOptions } from './options.ts';

/** Options of a room key. */
export interface RoomKeyOptions extends RequestOptions {
  /** Lifetime in seconds. @default 14 400, at most 21 600 */
  ttlS?: number;
  /** Name that others in the room see. */
  participantName?: string;
  /**
   * Which contract the key's holder keeps: `worker` is the physical robot's, over the simulated body. Such a tab joins as
   * `rcw-<robot_id>`, and clients find it by the prefix `rcw`. @default 'simulator'
   */
  profile?: RuntimeProfile;
}

/** Options of a link to the viewer. */
export interface RoomKeyUrlOptions extends RoomKeyOptions {
  /** Where the viewer is. @default viewerUrl of the client, else what the service reports */
  viewerBaseUrl?: string;
  /**
   * Whether the page that opens the link takes the robot over from a page or program that is the robot, without asking a person. For
   * kiosks and CI. The page that loses the robot shows so and does not take it back by itself. @default false
   */
  takeOver?: boolean;
}

/**
 * A room key: the address of the robot's session and a viewer's credential for it, in one string. The robot's session must be open.
 * It is a secret like a private meeting link; it holds no API key.
 * @throws PlatformAPIError `session.not_found` when no session is open
 */
export async function generateRoomKey(client: Client, robotId: string, options: RoomKeyOptions = {}): Promise<string> {
  return roomKeyOf(await viewerToken(client, robotId, options));
}

/**
 * The link `{viewer}/?key=<room key>` that makes a tab the robot; with `&profile=worker` where the key is for that contract.
 * @throws as `generateRoomKey`; PlatformSDKError when `viewerBaseUrl` is no address
 */
export async function generateRoomKeyUrl(client: Client, robotId: string, options: RoomKeyUrlOptions = {}): Promise<string> {
  const { viewerBaseUrl, takeOver, ...rest } = options;
  const named = namedViewer(client, viewerBaseUrl);
  const token = await viewerToken(client, robotId, rest);
  return `${viewerBase(named, token)}/?key=${roomKeyOf(token)}${profileMark(rest)}${takeOver ? TAKE_OVER_FRAGMENT : ''}`;
}

/** The legacy long link, `{viewer}/?lk_url=…&lk_token=…&lk_room=…`. @throws as `generateRoomKeyUrl` */
export async function getSessionViewerUrl(client: Client, robotId: string, options: RoomKeyUrlOptions = {}): Promise<string> {
  const { viewerBaseUrl, takeOver, ...rest } = options;
  const named = namedViewer(client, viewerBaseUrl);
  const token = await viewerToken(client, robotId, rest);
  const { livekit_url, participant_token, room_name } = token;
  return `${viewerBase(named, token)}/?${new URLSearchParams({ lk_url: livekit_url, lk_token: participant_token, lk_room: room_name })}${profileMark(rest)}${takeOver ? TAKE_OVER_FRAGMENT : ''}`;
}

/** Returns the room key that a token makes. */
export const roomKeyOf = ({ livekit_url, participant_token }: ParticipantToken): string =>
  encodeRoomKey({ sfuUrl: livekit_url, token: participant_token });

/** The key says it already; the address then says so to people too. */
const profileMark = ({ profile = 'simulator' }: RoomKeyOptions): string => (profile === 'simulator' ? '' : `&profile=${profile}`);

/** The viewer that the program names; null: none. @throws PlatformSDKError when `override` is no address */
export const namedViewer = (client: Client, override: string | undefined): string | null =>
  override === undefined ? internalSettings(client).viewerUrl : httpUrl(override, 'viewerBaseUrl');

/** Where the viewer is: as the program says, else as the service reports with its token, else at the usual place. */
export function viewerBase(named: string | null, { viewer_url }: ParticipantToken): string {
  if (named !== null || !viewer_url) return named ?? DEFAULT_VIEWER_URL;
  try {
    return httpUrl(viewer_url, 'viewer_url');
  } catch {
    return DEFAULT_VIEWER_URL;
  }
}

function viewerToken(client: Client, robotId: string, options: RoomKeyOptions): Promise<ParticipantToken> {
  const { profile = 'simulator', ...rest } = options;
  return client.robots.createParticipantToken(robotId, { ...rest, participantIdentity: runtimeIdentity(profile, robotId) });
}
