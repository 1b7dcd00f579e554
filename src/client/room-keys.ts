import { encodeRoomKey, TAKE_OVER_FRAGMENT } from '../protocol/room/room-key.ts';
import type { ParticipantToken } from '../protocol/service/control-service.ts';
import { runtimeIdentity } from '../protocol/wire/identity.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';
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
   * The contract that the key's holder follows: `worker` is the physical robot's contract, over the simulated body. Such a tab
   * joins as `rcw-<robot_id>`, and clients find it by the prefix `rcw`.
   * @default 'simulator'
   */
  profile?: RuntimeProfile;
}

/** Options of a link to the viewer. */
export interface RoomKeyUrlOptions extends RoomKeyOptions {
  /** Address of the viewer. @default viewerUrl of the client, else what the service reports */
  viewerBaseUrl?: string;
  /**
   * Whether the page that opens the link takes the robot over from another page or program without asking a person. For kiosks
   * and CI. The page that loses the robot shows a notice and does not take it back automatically.
   * @default false
   */
  takeOver?: boolean;
}

/**
 * Returns a room key: the address of the robot's session and a viewer's credential for it, in one string. The robot's session
 * must be open. Treat the key as a secret, like a private meeting link. It contains no API key.
 * @throws PlatformAPIError `session.not_found` when no session is open
 */
export async function generateRoomKey(client: Client, robotId: string, options: RoomKeyOptions = {}): Promise<string> {
  return roomKeyOf(await viewerToken(client, robotId, options));
}

/**
 * Returns the link `{viewer}/?key=<room key>`, which makes a tab the robot; with `&profile=worker` if the key is for that
 * contract.
 * @throws as `generateRoomKey`; PlatformSDKError when `viewerBaseUrl` is not a valid address
 */
export async function generateRoomKeyUrl(client: Client, robotId: string, options: RoomKeyUrlOptions = {}): Promise<string> {
  const { viewerBaseUrl, takeOver, ...rest } = options;
  const named = namedViewer(client, viewerBaseUrl);
  const token = await viewerToken(client, robotId, rest);
  return `${viewerBase(named, token)}/?key=${roomKeyOf(token)}${profileMark(rest)}${takeOver ? TAKE_OVER_FRAGMENT : ''}`;
}

/** Returns the legacy long link, `{viewer}/?lk_url=…&lk_token=…&lk_room=…`. @throws as `generateRoomKeyUrl` */
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

/** The key contains the profile already; in the address people can read it too. */
const profileMark = ({ profile = 'simulator' }: RoomKeyOptions): string => (profile === 'simulator' ? '' : `&profile=${profile}`);

/** Returns the viewer that the program names, or null. @throws PlatformSDKError when `override` is not a valid address */
export const namedViewer = (client: Client, override: string | undefined): string | null =>
  override === undefined ? internalSettings(client).viewerUrl : httpUrl(override, 'viewerBaseUrl');

/** Returns the viewer's address: the program's choice, else the one that the service reports with its token, else the default. */
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
