/** The Model Context Protocol over HTTP: who may use it, and both generations of clients. */
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RuntimeProfile } from '../../src/protocol/wire/profile.ts';
import type { Body } from '../../src/worker/robot/body.ts';
import { connectClient, GENERATIONS, openRaw } from './helpers/mcp-clients.ts';
import { type McpService, newRobot, simulatedRobot, startTestService, withRobot } from './helpers/mcp-service.ts';

let place: McpService;
let service: McpService['service'];
const leaving: (() => unknown)[] = [];

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  place = await withRobot(service);
});
afterEach(async () => {
  for (const leave of leaving.splice(0).reverse()) await leave();
});
afterAll(() => service.close());

const own = () => ({ fetch: place.fetch, key: service.keys[0] });
const post = (path: string, headers: Record<string, string> = {}, key: string | null = service.keys[0]) =>
  place.fetch(`http://localhost${path}`, {
    method: 'POST',
    headers: {
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    }),
  });

async function robot(profile?: RuntimeProfile): Promise<Body> {
  const body = await simulatedRobot(place, profile);
  leaving.push(() => body.dispose());
  return body;
}

describe.each(GENERATIONS)('a client of %s', (generation) => {
  it('lists the tools, moves the simulated robot and reads where it is', async () => {
    await robot();
    const client = await connectClient(generation, own());
    leaving.push(() => client.close());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('go_to');
    const driven = await client.callTool({ name: 'drive', arguments: { vx: 0.5, seconds: 1 } });
    expect(driven).toMatchObject({ isError: false, structuredContent: { status: 'done', world_changed: 'yes' } });
    expect((driven.structuredContent as { moved_m: number }).moved_m).toBeGreaterThan(0.2);
    const status = await client.callTool({ name: 'robot_status', arguments: {} });
    expect(status.structuredContent).toMatchObject({ status: 'ready', profile: 'simulator', moving: false });
  });

  it('learns what to do about pictures and the right to drive', async () => {
    const client = await connectClient(generation, own());
    leaving.push(() => client.close());
    const picture = await client.callTool({ name: 'take_picture', arguments: {} });
    expect(picture).toMatchObject({ isError: true, structuredContent: { code: 'CAMERA_UNAVAILABLE' } });
    expect(JSON.stringify(picture)).toContain('simplesim mcp --room');
    const control = await client.callTool({ name: 'control', arguments: { do: 'take' } });
    expect(control).toMatchObject({ isError: true, structuredContent: { code: 'NOT_CONTROLLER', attempted: false } });
    expect(JSON.stringify(control)).toContain('This connection cannot hold the right to drive');
  });

  it('learns who drives, and how the robot becomes free', async () => {
    const body = await robot();
    const client = await connectClient(generation, own());
    leaving.push(() => client.close());
    const text = async (name: string, input: object = {}) =>
      JSON.stringify((await client.callTool({ name, arguments: { ...input } })).structuredContent);
    expect(await text('control', { do: 'take' })).toContain('No one drives now');
    const take = { action: 'take', name: 'Ada Lovelace', kind: 'person' };
    await body.handle({ requestId: 'a', method: 'runtime.control', payload: JSON.stringify(take), callerIdentity: 'ada' });
    expect(await text('control', { do: 'ask' })).toContain('The person “Ada Lovelace” drives');
    expect(await text('robot_status')).toContain('Ask your user to have someone release the robot.');
  });

  it('learns that no robot is in the room, and that nothing was attempted', async () => {
    place.service.sfu.identities = [];
    const client = await connectClient(generation, own());
    leaving.push(() => client.close());
    const status = await client.callTool({ name: 'robot_status', arguments: {} });
    expect(status.structuredContent).toMatchObject({ status: 'absent' });
    const driven = await client.callTool({ name: 'drive', arguments: { vx: 0.5, seconds: 1 } });
    expect(driven.structuredContent).toMatchObject({ status: 'failed', code: 'ROBOT_ABSENT', attempted: false });
  });
});

describe.each(GENERATIONS)('a client of %s, of a virtual robot with the physical contract', (generation) => {
  it('moves it only with the consent of a person, for the given time, and stops it', async () => {
    const body = await robot('worker');
    const isMoving = async (): Promise<boolean> => {
      const call = { requestId: 'look', method: 'runtime.state', payload: '{}', callerIdentity: 'eye' };
      return JSON.parse(await body.handle(call)).robot.status === 'moving';
    };
    const silent = await connectClient(generation, own());
    leaving.push(() => silent.close());
    const refused = await silent.callTool({ name: 'drive', arguments: { vx: 0.3, seconds: 0.5 } });
    expect(refused.structuredContent).toMatchObject({ code: 'PERMISSION_DENIED', attempted: false });
    expect((await silent.callTool({ name: 'robot_status', arguments: {} })).structuredContent).toMatchObject({
      profile: 'worker',
    });

    const client = await connectClient(generation, { ...own(), name: 'asks', consents: true });
    leaving.push(() => client.close());
    const driven = await client.callTool({ name: 'drive', arguments: { vx: 0.3, seconds: 0.5 } });
    expect(driven.structuredContent).toMatchObject({ status: 'done', evidence: { holds: true, stopped: true } });

    const walk = client.callTool({ name: 'drive', arguments: { vx: 0.3, seconds: 10 } });
    while (!(await isMoving())) await new Promise((resolve) => setImmediate(resolve));
    const stopped = await client.callTool({ name: 'stop', arguments: {} });
    expect(stopped.structuredContent).toMatchObject({ status: 'done', at_rest: true });
    expect((await walk).structuredContent).toMatchObject({ status: 'failed', code: 'CANCELLED' });
    expect(await isMoving()).toBe(false);
  });
});

it('a client of the earlier library lists and calls the tools in a session, and ends it', async () => {
  await robot();
  const client = new OldClient({ name: 'old', version: '1' });
  const transport = new OldTransport(new URL('http://localhost/mcp'), {
    fetch: place.fetch,
    requestInit: { headers: { Authorization: `Bearer ${service.keys[0]}` } },
  });
  await client.connect(transport as never);
  expect((await client.listTools()).tools.length).toBeGreaterThan(10);
  const driven = await client.callTool({ name: 'drive', arguments: { vx: 0.3, seconds: 0.5 } });
  expect(driven).toMatchObject({ isError: false, structuredContent: { status: 'done' } });
  const id = transport.sessionId ?? '';
  expect(id).not.toBe('');
  await transport.terminateSession();
  await client.close();
  expect((await post('/mcp', { 'Mcp-Session-Id': id })).status).toBe(404);
});

describe('a request', () => {
  it.each([
    ['no key', null, 'missing'],
    ['a wrong key', 'sk_wrong', 'unknown'],
  ])('with %s is rejected, with what to send', async (_what, key, reason) => {
    const answer = await post('/mcp', {}, key);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect((await answer.json()).details.reason).toBe(reason);
  });

  it('for a robot of another account, or an unknown one, does not find it', async () => {
    const foreign = await newRobot(service, 'Bo', service.keys[1]);
    for (const id of [foreign, '01890000-0000-7000-8000-000000000000', 'x']) {
      const answer = await post(`/mcp/robots/${id}`);
      expect(answer.status).toBe(404);
      expect((await answer.json()).code).toBe('robot.not_found');
    }
  });

  it('without a named robot names the choices if several have a session, and all robots if none has', async () => {
    const second = await newRobot(service, 'Bo');
    const several = await post('/mcp');
    expect(several.status).toBe(400);
    expect((await several.json()).message).toBe(
      `Several of your robots have an open session. Connect to /mcp/robots/{robot_id} with the id of one of them: ${place.robotId} (Ada), ${second} (Bo).`,
    );
    expect((await post(`/mcp/robots/${second}`)).status).toBe(200);
    for (const id of [place.robotId, second]) await service.send('DELETE', `/v1/robots/${id}/session`);
    const none = await post('/mcp');
    expect(none.status).toBe(409);
    expect((await none.json()).message).toContain(`Your robots: ${place.robotId} (Ada), ${second} (Bo).`);
  });

  it('of a page of another site is rejected, and no page may read an answer', async () => {
    const foreign = await post('/mcp', { Origin: 'https://evil.example' });
    expect(foreign.status).toBe(403);
    expect((await foreign.json()).code).toBe('request.foreign_origin');
    expect((await post('/mcp', { Origin: 'null' })).status).toBe(403);
    const fromOwn = await post('/mcp', { Host: 'localhost', Origin: 'http://localhost' });
    expect(fromOwn.status).toBe(200);
    for (const answer of [foreign, fromOwn]) expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    const preflight = await place.fetch('http://localhost/mcp', {
      method: 'OPTIONS',
      headers: { Origin: 'https://evil.example' },
    });
    expect(preflight.status).toBe(403);
    expect(preflight.headers.has('access-control-allow-origin')).toBe(false);
  });

  it('that is not valid gets an error that names the problem', async () => {
    const send = (init: RequestInit) =>
      place.fetch('http://localhost/mcp', { ...init, headers: { Authorization: `Bearer ${service.keys[0]}`, ...init.headers } });
    expect((await send({ method: 'GET' })).status).toBe(405);
    const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
    const half = await send({ method: 'POST', body: '{"jsonrpc":', headers: json });
    expect(half.status).toBe(400);
    expect((await half.json()).message).toContain('The request body is not JSON');
    const early = await send({ method: 'POST', body: '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}', headers: json });
    expect(early.status).toBe(400);
    expect((await early.json()).error.message).toContain('Send "initialize" first');
    const large = await send({ method: 'POST', body: JSON.stringify({ a: 'x'.repeat(70_000) }), headers: json });
    expect(large.status).toBe(413);
  });

  it('of a session needs the key of that session', async () => {
    const { sessionId } = await openRaw('2025-11-25', own());
    const other = await newRobot(service, 'Bo', service.keys[1]);
    expect(other).not.toBe('');
    const answer = await post('/mcp', { 'Mcp-Session-Id': sessionId ?? '' }, service.keys[1]);
    expect(answer.status).toBe(404);
  });
});

it('no log entry contains a key or the id of a session', async () => {
  const raw = await openRaw('2025-11-25', own());
  await (await raw.call('robot_status', {})).text();
  const log = JSON.stringify(service.log);
  expect(log).toContain('"route":"/mcp"');
  expect(log).not.toContain(service.keys[0]);
  expect(log).not.toContain(raw.sessionId);
});

it('the number of sessions and agents of one key is limited, and the unused ones give way', async () => {
  const open = async () => (await post('/mcp')).status;
  const opened = [];
  for (let count = 0; count < 33; count += 1) opened.push(await open());
  expect(opened).toEqual([...Array.from({ length: 32 }, () => 200), 429]);
  service.clock.advanceMs(61_000);
  expect(await open()).toBe(200);
  for (let count = 0; count < 40; count += 1) {
    const raw = await openRaw('2026-07-28', { ...own(), name: `program ${count}` });
    const text = await (await raw.call('control', { do: 'ask' })).text();
    expect(text).toContain('cannot hold the right to drive');
  }
});
