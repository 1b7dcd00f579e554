import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import {
  JoinRequest,
  LeaveRequest_Action,
  type ParticipantInfo,
  SignalResponse,
  WrappedJoinRequest,
  WrappedJoinRequest_Compression,
} from '@livekit/protocol';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import { IDENTITY_LISTED_WITHIN_MS, type PersonInRoom, type SfuSession, whoseSession } from '../../protocol/room/sfu-session.ts';
import { SIGNAL_LOST } from '../../protocol/texts/room-texts.ts';
import type { Place } from '../robot-messages.ts';
import { type Aftermath, afterDisconnect, afterRefusal, NO_ANSWER } from './aftermath.ts';
import { after } from './wait.ts';

/** The proxy of the signalling of one connection to a room. */
export interface SignalGate {
  /** The address to join instead of the SFU's own: a port of this machine that only holders of this address can pass. */
  readonly url: string;
  /** The robot's session in the room; null before the SFU has admitted it. */
  sfuSession(): SfuSession | null;
  /** Ends all connections. */
  close(): void;
}

/** Further messages of the SFU. */
export interface SignalUpdate {
  /** It has issued a token to the robot for later use. */
  onToken(token: string): void;
  /** It describes participants: all others in the room after a join, and those that change. */
  onPeople(people: readonly PersonInRoom[], isEverybody: boolean): void;
}

const OPEN_MAX_MS = 10_000;
/**
 * `@livekit/rtc-node` resumes within some 100 ms of the end of its signalling. Sometimes it does not notice that end until its
 * ping fails, 15 s later. When a resume fails, it waits 5 s for the next.
 */
const RESUMES_WITHIN_MS = 1_000;
const REFUSAL_MAX_BYTES = 4_096;
const LOOPBACK = '127.0.0.1';

/**
 * Lets `@livekit/rtc-node` connect to the SFU for one join and for resumes into the session of that join, and for nothing else.
 * When a resume fails, the package rejoins without asking whether another participant has the place meanwhile. It also does not
 * report why the SFU rejected it. All of that can only be observed, and prevented, between the package and the SFU.
 * @param onOver called once, with the next step, when nothing passes any more
 * @param update called while the robot is in the room
 */
export async function openSignalGate(
  { sfuUrl, token }: Place,
  onOver: (aftermath: Aftermath) => void,
  update: SignalUpdate,
): Promise<SignalGate> {
  const secret = randomBytes(16).toString('hex');
  const sockets = new Set<WebSocket>();
  const sessions = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  let sfuSession: SfuSession | null = null;
  let joined = false;
  let isOver = false;
  let stopAwaitingResume = (): void => {};

  function finish(aftermath: Aftermath): void {
    if (isOver) return;
    isOver = true;
    stopAwaitingResume();
    onOver(aftermath);
  }

  /** The signalling is lost, or could not be resumed: the next resume comes soon, or the session counts as lost. */
  function awaitResume(): void {
    stopAwaitingResume();
    if (!isOver) stopAwaitingResume = after(RESUMES_WITHIN_MS, () => finish({ kind: 'rejoin', why: SIGNAL_LOST }));
  }

  function onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on('error', () => socket.destroy());
    const asked = new URL(request.url ?? '/', `http://${LOOPBACK}`);
    const prefix = `/${secret}/`;
    if (!asked.pathname.startsWith(prefix)) {
      refuse(socket, 404, '');
      return;
    }
    const resumes = isResume(asked);
    if (isOver || (joined && !resumes)) {
      // The session is lost. Whether the place may be taken again must be asked first.
      refuse(socket, 503, '');
      finish({ kind: 'rejoin', why: SIGNAL_LOST });
      return;
    }
    joined = true;
    stopAwaitingResume();
    const base = sfuUrl.replace(/[?#].*$/, '').replace(/\/+$/, '');
    const sfu = new WebSocket(`${base}/${asked.pathname.slice(prefix.length)}${asked.search}`, {
      headers: { Authorization: request.headers.authorization ?? `Bearer ${token}` },
      perMessageDeflate: false,
      handshakeTimeout: OPEN_MAX_MS,
    });
    sockets.add(sfu);
    sfu.on('close', () => {
      sockets.delete(sfu);
      awaitResume();
    });
    sfu.on('error', () => {
      refuse(socket, 502, '');
      if (!resumes) finish({ kind: 'rejoin', why: NO_ANSWER });
    });
    sfu.on('unexpected-response', (_request, response) => {
      void readStart(response).then((text) => {
        refuse(socket, response.statusCode ?? 502, text);
        // A token that is too old for a resume may be replaced by a newer one.
        if (!resumes) finish(afterRefusal(response.statusCode ?? 502, text));
        sfu.terminate();
      });
    });
    sfu.on('open', () => {
      if (socket.destroyed) return sfu.terminate();
      sessions.handleUpgrade(request, socket, head, (robot) => {
        sockets.add(robot);
        robot.on('close', () => sockets.delete(robot));
        carry(robot, sfu, resumes);
      });
    });
  }

  /** Forwards messages both ways. Those of a resume wait until the SFU has identified the session's owner. */
  function carry(robot: WebSocket, sfu: WebSocket, resumes: boolean): void {
    let isHeld = resumes;
    const held: RawData[] = [];
    const letThrough = (): void => {
      if (!isHeld) return;
      isHeld = false;
      for (const message of held.splice(0)) robot.send(message, ignore);
      robot.resume();
    };
    const stopWaiting = isHeld ? after(IDENTITY_LISTED_WITHIN_MS, letThrough) : () => {};

    sfu.on('message', (data) => {
      const heard = hear(data);
      if (isHeld && heard === 'other') {
        stopWaiting();
        sfu.terminate();
        robot.terminate();
        finish({ kind: 'end', end: 'taken_over' });
        return;
      }
      if (isHeld) held.push(data);
      else robot.send(data, ignore);
      // A rejected resume means that no participant of this name is present.
      if (heard === 'own' || heard === 'leave') letThrough();
    });
    const toSfu = oneEachTick<RawData>((data) => sfu.send(data, ignore));
    robot.on('message', toSfu);
    for (const [one, other] of [
      [robot, sfu],
      [sfu, robot],
    ] as const) {
      one.on('error', ignore);
      one.on('close', () => {
        stopWaiting();
        // Without a leave message, as when the SFU itself has ended: the package then resumes. A leave message that has arrived
        // is read before.
        setImmediate(() => other.terminate());
      });
    }
    // Messages sent into another participant's session would count as that participant's.
    if (isHeld) robot.pause();
  }

  /** @returns the owner of the session if a message contains it, `leave` if the SFU sends the robot away */
  function hear(data: RawData): 'own' | 'other' | 'leave' | null {
    const { message } = readResponse(data);
    if (message.case === 'refreshToken') update.onToken(message.value);
    if (message.case === 'join') {
      sfuSession = sfuSessionOf(message.value.participant) ?? sfuSession;
      update.onPeople(message.value.otherParticipants, true);
    }
    if (message.case === 'update') {
      update.onPeople(
        message.value.participants.filter(({ identity }) => identity !== sfuSession?.identity),
        false,
      );
    }
    if (message.case === 'leave') {
      // In the middle of a join `@livekit/rtc-node` would still wait for its connection, and then join once more.
      if (message.value.action !== LeaveRequest_Action.RESUME) finish(afterDisconnect(message.value.reason));
      return 'leave';
    }
    return message.case === 'update' && sfuSession ? whoseSession(message.value.participants, sfuSession) : null;
  }

  const server = createServer((_request, response) => response.writeHead(503).end());
  server.on('upgrade', onUpgrade);
  await new Promise<void>((listening, fail) => {
    server.once('error', fail);
    server.listen(0, LOOPBACK, listening);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    url: `ws://${LOOPBACK}:${port}/${secret}`,
    sfuSession: () => sfuSession,
    close() {
      isOver = true;
      stopAwaitingResume();
      server.close();
      server.closeAllConnections();
      for (const socket of sockets) socket.terminate();
    },
  };
}

/** Ignores a failed send, because no caller waits for the message. */
function ignore(): void {}

/**
 * Forwards one message in each turn of the event loop, after incoming data was read. A write to a socket that the other side has
 * closed discards all unread data. The SFU's leave message would then be lost whenever this process is busy while a room is
 * deleted.
 */
function oneEachTick<Message>(handOver: (message: Message) => void): (message: Message) => void {
  const waiting: Message[] = [];
  const next = (): void => {
    const message = waiting.shift();
    if (message === undefined) return;
    handOver(message);
    if (waiting.length > 0) setImmediate(next);
  };
  return (message) => {
    waiting.push(message);
    if (waiting.length === 1) setImmediate(next);
  };
}

/** LiveKit's two forms of an address: separate parameters, or all of them in one message. */
function isResume({ searchParams }: URL): boolean {
  const wrapped = searchParams.get('join_request');
  if (wrapped === null) return searchParams.get('reconnect') === '1';
  const { compression, joinRequest } = WrappedJoinRequest.fromBinary(Buffer.from(wrapped, 'base64'));
  const bytes = compression === WrappedJoinRequest_Compression.GZIP ? gunzipSync(joinRequest) : joinRequest;
  return JoinRequest.fromBinary(bytes).reconnect;
}

const sfuSessionOf = (self: ParticipantInfo | undefined): SfuSession | null =>
  self ? { identity: self.identity, sid: self.sid } : null;

/** Decodes a message of the SFU. An unreadable message is ignored. */
export function readResponse(data: RawData): SignalResponse {
  try {
    return SignalResponse.fromBinary(Array.isArray(data) ? Buffer.concat(data) : new Uint8Array(data));
  } catch {
    return new SignalResponse();
  }
}

function refuse(socket: Duplex, status: number, text: string): void {
  if (!socket.writable) return;
  socket.end(`HTTP/1.1 ${status} \r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
}

async function readStart(response: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of response) {
      text += String(chunk);
      if (text.length > REFUSAL_MAX_BYTES) break;
    }
  } catch {
    // The text read so far must suffice.
  }
  return text;
}
