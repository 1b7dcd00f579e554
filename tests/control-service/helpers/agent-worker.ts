import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import type { Duplex } from 'node:stream';
import { AccessToken } from 'livekit-server-sdk';
import type { SfuAccess } from '../../../src/control-service/sfu-admin.ts';

/** A job that the SFU gave to the worker. */
export interface AgentJob {
  room: string;
  metadata: string;
  /** The token with which the agent joins the room. */
  token: string;
}

/** A minimal LiveKit agent worker: it accepts every job and passes it to the test. */
export interface AgentWorker {
  /** Resolves with the next job. */
  nextJob(): Promise<AgentJob>;
  close(): void;
}

/**
 * Registers a worker over LiveKit's agent protocol (a WebSocket at `/agent`, here with JSON messages).
 * @param name the name by which sessions ask for it; an empty name is for LiveKit's dispatch to every room
 */
export async function startAgentWorker(access: SfuAccess, name: string): Promise<AgentWorker> {
  const token = new AccessToken(access.apiKey, access.apiSecret);
  token.addGrant({ agent: true });
  const socket = await openWebSocket(`${access.httpUrl}/agent`, await token.toJwt());
  const jobs: AgentJob[] = [];
  let wake = () => {};
  const registered = new Promise<void>((resolve) => {
    readFrames(socket, (text) => {
      const message = JSON.parse(text) as ServerMessage;
      if (message.register) resolve();
      if (message.availability) {
        const { id: jobId } = message.availability.job;
        const identity = `agent-${jobId}`;
        send(socket, { availability: { jobId, available: true, participantIdentity: identity, participantName: name } });
      }
      if (message.assignment) {
        const { job, token: jobToken } = message.assignment;
        jobs.push({ room: job.room.name, metadata: job.metadata ?? '', token: jobToken });
        wake();
      }
    });
  });
  send(socket, {
    register: { type: 'JT_ROOM', agentName: name, version: '1', pingInterval: 60, allowedPermissions: { canPublishData: true } },
  });
  await registered;
  return {
    async nextJob() {
      while (jobs.length === 0) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return jobs.shift() as AgentJob;
    },
    close: () => socket.destroy(),
  };
}

interface ServerMessage {
  register?: object;
  availability?: { job: { id: string } };
  assignment?: { job: { room: { name: string }; metadata?: string }; token: string };
}

/** A WebSocket client, which Node 20 lacks. RFC 6455, sections 4.1 and 5.2; messages of one frame only. */
async function openWebSocket(url: string, bearer: string): Promise<Duplex> {
  const headers = {
    Authorization: `Bearer ${bearer}`,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  };
  const handshake = request(url, { headers });
  handshake.end();
  const [, socket] = (await once(handshake, 'upgrade')) as [unknown, Duplex];
  socket.on('error', () => {});
  return socket;
}

function send(socket: Duplex, message: object): void {
  const payload = Buffer.from(JSON.stringify(message));
  const mask = randomBytes(4);
  const head = Buffer.alloc(4);
  head.writeUInt8(0x81, 0);
  head.writeUInt8(0x80 | 126, 1);
  head.writeUInt16BE(payload.length, 2);
  socket.write(Buffer.concat([head, mask, payload.map((byte, i) => byte ^ (mask[i % 4] ?? 0))]));
}

function readFrames(socket: Duplex, onText: (text: string) => void): void {
  let left = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    left = Buffer.concat([left, chunk]);
    for (;;) {
      if (left.length < 2) return;
      const short = left.readUInt8(1) & 0x7f;
      const start = short === 126 ? 4 : 2;
      if (left.length < start) return;
      const end = start + (short === 126 ? left.readUInt16BE(2) : short);
      if (short === 127) throw new Error('The frame is longer than any that is expected.');
      if (left.length < end) return;
      const isText = (left.readUInt8(0) & 0x0f) === 1;
      if (isText) onText(left.subarray(start, end).toString('utf8'));
      left = left.subarray(end);
    }
  });
}
