/** The gate between LiveKit's package and the SFU reports the end of signalling if no client resumes it. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DisconnectReason, LeaveRequest_Action, SignalResponse } from '@livekit/protocol';
import { afterEach, expect, it } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import type { Aftermath } from '../../src/worker/robot/aftermath.ts';
import { openSignalGate, type SignalGate } from '../../src/worker/robot/signal-gate.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const each of open.splice(0).reverse()) each.close();
});

/** An SFU that accepts connections, and ends or refuses them on request. */
async function startSfu(): Promise<{ url: string; connections: WebSocket[]; server: Server }> {
  const server = createServer();
  const sessions = new WebSocketServer({ server });
  const connections: WebSocket[] = [];
  sessions.on('connection', (socket) => connections.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  open.push({
    close() {
      for (const socket of connections) socket.terminate();
      server.close();
    },
  });
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, connections, server };
}

/** Creates a gate to this SFU, and a robot that has joined through the gate. */
async function joinThrough(
  sfuUrl: string,
  onToken: (token: string) => void = () => {},
): Promise<{ gate: SignalGate; robot: WebSocket; over: Promise<Aftermath> }> {
  let report: (aftermath: Aftermath) => void;
  const over = new Promise<Aftermath>((resolve) => {
    report = resolve;
  });
  const place = { sfuUrl, token: 'token', room: 'room-1', robotId: 'r1' };
  const gate = await openSignalGate(place, (aftermath) => report(aftermath), { onToken, onPeople: () => {} });
  open.push(gate);
  const robot = new WebSocket(`${gate.url}/rtc`);
  await once(robot, 'open');
  return { gate, robot, over };
}

it("ends the robot's side when the SFU ends its own, and reports the session as lost when no resume follows", async () => {
  const sfu = await startSfu();
  const { robot, over } = await joinThrough(sfu.url);
  const ended = once(robot, 'close');
  sfu.connections[0]?.close(1000);
  await ended;
  expect(await over).toMatchObject({ kind: 'rejoin' });
});

it('accepts a resume, and then reports no loss', async () => {
  const sfu = await startSfu();
  const { gate, robot, over } = await joinThrough(sfu.url);
  const ended = once(robot, 'close');
  sfu.connections[0]?.terminate();
  await ended;
  const resumed = new WebSocket(`${gate.url}/rtc?reconnect=1&sid=PA_1`);
  await once(resumed, 'open');
  let isOver = false;
  void over.then(() => {
    isOver = true;
  });
  // The wait for its own end starts again.
  const again = once(resumed, 'close');
  expect(isOver).toBe(false);
  sfu.connections[1]?.terminate();
  await again;
  expect(await over).toMatchObject({ kind: 'rejoin' });
});

it("waits no longer after a failed resume, because LiveKit's package tries again only after 5 s", async () => {
  const sfu = await startSfu();
  const { gate, robot, over } = await joinThrough(sfu.url);
  const ended = once(robot, 'close');
  sfu.server.close();
  for (const connection of sfu.connections) connection.terminate();
  await ended;
  const refused = new WebSocket(`${gate.url}/rtc?reconnect=1&sid=PA_1`);
  await once(refused, 'error');
  expect(await over).toMatchObject({ kind: 'rejoin' });
});

it('receives the goodbye of an SFU that has closed, although the robot still writes to it', async () => {
  const sfu = await startSfu();
  const { robot, over } = await joinThrough(sfu.url);
  // In one turn of the event loop, as in a busy process: the robot's writes are queued first, then the goodbye.
  for (let i = 0; i < 20; i += 1) robot.send(`candidate ${i}`);
  const leave = { action: LeaveRequest_Action.DISCONNECT, reason: DisconnectReason.ROOM_DELETED };
  sfu.connections[0]?.send(new SignalResponse({ message: { case: 'leave', value: leave } }).toBinary());
  sfu.connections[0]?.terminate();
  expect(await over).toEqual({ kind: 'end', end: 'session_deleted' });
});

it('forwards the robot’s messages in order, up to the last one', async () => {
  const sfu = await startSfu();
  const { robot } = await joinThrough(sfu.url);
  const written = Array.from({ length: 50 }, (_, i) => `candidate ${i}`);
  const carried: string[] = [];
  const all = new Promise<void>((resolve) => {
    sfu.connections[0]?.on('message', (data) => carried.push(String(data)) === written.length && resolve());
  });
  for (const message of written) robot.send(message);
  await all;
  expect(carried).toEqual(written);
});

it('reports a token that the SFU renews, and passes it on', async () => {
  const sfu = await startSfu();
  const reported: string[] = [];
  const { robot } = await joinThrough(sfu.url, (token) => reported.push(token));
  const passed = once(robot, 'message');
  sfu.connections[0]?.send(new SignalResponse({ message: { case: 'refreshToken', value: 'renewed' } }).toBinary());
  await passed;
  expect(reported).toEqual(['renewed']);
});
