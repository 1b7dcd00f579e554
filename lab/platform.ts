/** The platform as benches use it: an empty data folder, any free port, robots on demand. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, type ConnectOptions, connect, type PlatformSession } from '../src/client/index.ts';
import { startPlatform } from '../src/launch/platform.ts';
import { encodeRoomKey } from '../src/protocol/room/room-key.ts';
import { WireParticipant } from '../tests/e2e/support/wire-participant.ts';

export interface BenchRobot {
  id: string;
  keyUrl(): Promise<string>;
  token(identity: string, access?: 'watch'): Promise<{ url: string; token: string; room: string }>;
  /** The project's own client, in the robot's room. */
  connect(options?: ConnectOptions): Promise<PlatformSession>;
  /** @param topics of byte streams that the participant collects; the caller handles others */
  join(identity: string, topics?: string[]): Promise<WireParticipant>;
}

export interface BenchPlatform {
  newRobot(): Promise<BenchRobot>;
  stop(): Promise<void>;
}

/** @param distDir the folder of the built page. @default the project's own */
export async function startBenchPlatform({ distDir }: { distDir?: string } = {}): Promise<BenchPlatform> {
  const dataDir = await mkdtemp(join(tmpdir(), 'simplesim-bench-'));
  const platform = await startPlatform({
    port: 0,
    dataDir,
    ...(distDir === undefined ? {} : { distDir }),
    env: { ...process.env, SIMPLESIM_SFU_PORT: '0' },
    onProgress: () => {},
  });
  const client = new Client({ rcsUrl: platform.rcsUrl, apiKey: platform.apiKey });
  return {
    newRobot: async () => {
      const { robot } = await client.robots.create({ name: 'bench', model: 'simplesim-humanoid-1' });
      await client.robots.createSession(robot.id, { workerNames: [] });
      const token = async (identity: string, access?: 'watch') => {
        const place = await client.robots.createParticipantToken(robot.id, { participantIdentity: identity, access });
        return { url: place.livekit_url, token: place.participant_token, room: place.room_name };
      };
      return {
        id: robot.id,
        token,
        keyUrl: async () => {
          const { url, token: secret } = await token(`simplesim:${robot.id}`);
          return `${platform.viewerUrl}/?key=${encodeRoomKey({ sfuUrl: url, token: secret })}`;
        },
        connect: (options = {}) => connect(client, robot.id, { workerNames: [], keepSession: true, ...options }),
        join: async (identity, topics) => {
          const { url, token: secret } = await token(identity);
          return WireParticipant.join(url, secret, topics);
        },
      };
    },
    stop: async () => {
      await platform.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
