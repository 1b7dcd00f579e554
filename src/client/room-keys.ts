import type { ParticipantToken } from '../protocol/control-service.ts';
import { runtimeIdentity } from '../protocol/identity.ts';
import type { RuntimeProfile } from '../protocol/profile.ts';
import { encodeRoomKey, TAKE_OVER_FRAGMENT } from '../protocol/room-key.ts';
import type { Client } from './client.ts';
import { internalSettings } from './internal/client-settings.ts';
import { httpUrl } from './internal/settings.ts';
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
  /** Where the viewer is. @default viewerUrl of the client */
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
  const { livekit_url, participant_token } = await viewerToken(client, robotId, options);
  return encodeRoomKey({ sfuUrl: livekit_url, token: participant_token });
}

/**
 * The link `{viewer}/?key=<room key>` that makes a tab the robot; with `&profile=worker` where the key is for that contract.
 * @throws as `generateRoomKey`; PlatformSDKError when `viewerBaseUrl` is no address
 */
export async function generateRoomKeyUrl(client: Client, robotId: string, options: RoomKeyUrlOptions = {}): Promise<string> {
  const { viewerBaseUrl, takeOver, ...rest } = options;
  const base = viewerBase(client, viewerBaseUrl);
  return `${base}/?key=${await generateRoomKey(client, robotId, rest)}${profileMark(rest)}${takeOver ? TAKE_OVER_FRAGMENT : ''}`;
}

/** The legacy long link, `{viewer}/?lk_url=…&lk_token=…&lk_room=…`. @throws as `generateRoomKeyUrl` */
export async function getSessionViewerUrl(client: Client, robotId: string, options: RoomKeyUrlOptions = {}): Promise<string> {
  const { viewerBaseUrl, takeOver, ...rest } = options;
  const base = viewerBase(client, viewerBaseUrl);
  const { livekit_url, participant_token, room_name } = await viewerToken(client, robotId, rest);
  return `${base}/?${new URLSearchParams({ lk_url: livekit_url, lk_token: participant_token, lk_room: room_name })}${profileMark(rest)}${takeOver ? TAKE_OVER_FRAGMENT : ''}`;
}

/** The key says it already; the address then says so to people too. */
const profileMark = ({ profile = 'simulator' }: RoomKeyOptions): string => (profile === 'simulator' ? '' : `&profile=${profile}`);

/** Where the viewer is. @throws PlatformSDKError when `override` is no address */
export const viewerBase = (client: Client, override: string | undefined): string =>
  override === undefined ? internalSettings(client).viewerUrl : httpUrl(override, 'viewerBaseUrl');

function viewerToken(client: Client, robotId: string, options: RoomKeyOptions): Promise<ParticipantToken> {
  const { profile = 'simulator', ...rest } = options;
  return client.robots.createParticipantToken(robotId, { ...rest, participantIdentity: runtimeIdentity(profile, robotId) });
}
