/**
 * A robot with signed control in its own process, an observer next to it who sees everything, and an operator behind a bad line.
 */
import { Room } from '@livekit/rtc-node';
import { decodeJwt } from 'jose';
import type { PlatformSession, RoomTransport } from '../../src/client/index.ts';
import { rcwIdentity } from '../../src/protocol/wire/identity.ts';
import { POSES_TOPIC, unpackPose } from '../../src/protocol/wire/pose-packets.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { startRobot } from '../../src/worker/robot-link.ts';
import { leaveRoom, nodeTransport } from '../../tests/client/helpers/leave-room.ts';
import { GOOD_LINK, type SfuLink, startSfuLink } from '../../tests/sfu-link/sfu-link.ts';
import type { BenchRobot } from '../platform.ts';
import { type NetworkWatcher, openWatcher } from './watch-network.ts';

/** A command that an operator has sent, and its outcome. Times are milliseconds since the epoch. */
export interface SentCommand {
  skill: string;
  input: Readonly<Record<string, unknown>>;
  sentMs: number;
  /** When the robot accepted it, as the robot reports; null if it did not, or that is unknown. */
  takenMs: number | null;
  answeredMs: number | null;
  /** The code of its rejection, or how it was lost; null if it was carried out. */
  refused: string | null;
}

/** The setup around a line: open until `close`. */
export interface NetworkStand {
  readonly link: SfuLink;
  /** Identity of the robot in the room. */
  readonly runtime: string;
  /** The operator's connection; each of its packets goes over the line. */
  readonly operator: PlatformSession<'worker'>;
  /** All commands that the operator has sent, in this order. */
  readonly sent: SentCommand[];
  /** A watcher behind the line. */
  readonly watcher: NetworkWatcher;
  /** The robot's state, read without the line. */
  state(): Promise<RuntimeState>;
  close(): Promise<void>;
}

const READ_TIMEOUT_MS = 10_000;
const READY_WITHIN_MS = 60_000;

/** The robot's place in its room. */
export interface RobotPlace {
  url: string;
  token: string;
  room: string;
  robotId: string;
}

/** Starts a robot with signed control, and resolves when it is ready. @returns a function that ends it */
export type StartRobot = (place: RobotPlace) => Promise<() => Promise<unknown>>;

/** @param seed determines which packets are lost or delayed */
export async function openStand(robot: BenchRobot, seed: number, startIt: StartRobot = inProcess): Promise<NetworkStand> {
  const runtime = rcwIdentity(robot.id);
  const place = await robot.token(runtime);
  const endRobot = await startIt({ ...place, robotId: robot.id });
  const link = await startSfuLink(place.url, { seed });
  const sent: SentCommand[] = [];
  const operator = (await robot.connect({
    rcwIdentityPrefix: 'rcw',
    transport: async () => recorded(await nodeTransport(), link.url, sent),
  })) as unknown as PlatformSession<'worker'>;
  const beside = new Room();
  const access = await robot.token('beside');
  await beside.connect(access.url, access.token, { autoSubscribe: false, dynacast: false });
  const view = await robot.token('watcher', 'watch');
  const watcher = await openWatcher(link.url, view.token, runtime);
  await operator.waitUntilReady({ timeoutMs: READY_WITHIN_MS });
  return {
    link,
    runtime,
    operator,
    sent,
    watcher,
    async state() {
      const text = await beside.localParticipant?.performRpc({
        destinationIdentity: runtime,
        method: 'runtime.state',
        payload: '{}',
        responseTimeout: READ_TIMEOUT_MS,
      });
      return JSON.parse(text ?? '') as RuntimeState;
    },
    async close() {
      link.set(GOOD_LINK);
      await operator.disconnect();
      await watcher.leave();
      await leaveRoom(beside);
      await endRobot();
      await link.close();
    },
  };
}

async function inProcess({ url, token, room, robotId }: RobotPlace): Promise<() => Promise<unknown>> {
  let ready = (): void => {};
  const isReady = new Promise<void>((resolve) => {
    ready = resolve;
  });
  const place = { sfuUrl: url, token, room, robotId };
  const robot = startRobot(
    { seed: 1, productVersion: '0', signedOnly: true, worldsDir: null, place },
    { onJoined: () => {}, freshKey: async () => null, log: ({ event }) => event === 'robot_ready' && ready() },
  );
  await isReady;
  return () => robot.end();
}

interface Answer {
  status?: string;
  error?: { code?: string };
  meta?: { started_at_ms?: number };
}

/** Over the line instead of directly to the SFU, with a record of the commands. */
function recorded(room: RoomTransport, url: string, sent: SentCommand[]): RoomTransport {
  const numbered = new Map<number, SentCommand>();
  return {
    ...room,
    connect: (_url, token, listener) => room.connect(url, token, listener),
    sendLossy(packet) {
      const pose = packet.topic === POSES_TOPIC ? unpackPose(new TextDecoder().decode(packet.bytes)) : null;
      if (pose && pose.number > 0) {
        const command = commandIn(pose.text);
        sent.push(command);
        numbered.set(pose.number, command);
      }
      room.sendLossy?.(packet);
    },
    onData(topic, handler) {
      room.onData?.(topic, (packet) => {
        const answer = topic === POSES_TOPIC ? unpackPose(new TextDecoder().decode(packet.bytes)) : null;
        const command = answer && numbered.get(answer.number);
        if (answer && command) note(command, JSON.parse(answer.text) as Answer);
        handler(packet);
      });
    },
    async call(order) {
      const command = commandOf(order.method, order.payload);
      if (command) sent.push(command);
      try {
        const text = await room.call(order);
        if (command) note(command, JSON.parse(text) as Answer);
        return text;
      } catch (error) {
        if (command) command.refused = (error as { reason?: string }).reason ?? 'lost';
        throw error;
      }
    },
  };
}

function note(command: SentCommand, { status, error, meta }: Answer): void {
  command.answeredMs = Date.now();
  if (status === 'done') command.takenMs = meta?.started_at_ms ?? null;
  else command.refused = error?.code ?? 'unreadable';
}

function commandOf(method: string, payload: string): SentCommand | null {
  if (method !== 'runtime.forward_envelope') return null;
  const { envelope } = JSON.parse(payload) as { envelope: string };
  return commandIn(Buffer.from(envelope, 'base64').toString());
}

/** @param text an envelope, or the short form of one in a packet */
function commandIn(text: string): SentCommand {
  const short = text.indexOf(' {');
  const claims: unknown = short < 0 ? decodeJwt(text) : JSON.parse(`${text.slice(short + 1)}"}`);
  const { call } = claims as { call: { payload: { name?: string; input?: Record<string, unknown> } } };
  const { name = '', input = {} } = call.payload;
  return { skill: name, input, sentMs: Date.now(), takenMs: null, answeredMs: null, refused: null };
}
