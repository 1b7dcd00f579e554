/** Two LiveKit nodes over Redis and two control services on one PostgreSQL serve one fleet, even when one of each dies. */
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { grantOnlyKey } from '../../src/control-service/accounts.ts';
import { systemClock } from '../../src/control-service/clock.ts';
import { openDatabase } from '../../src/control-service/db/open.ts';
import { newApiKey } from '../../src/control-service/secrets.ts';
import { joinScriptedRuntime, type ScriptedRuntime } from '../client/helpers/scripted-runtime.ts';
import { newPostgresDatabase } from '../control-service/helpers/databases.ts';
import { waitUntil } from '../launch/helpers/processes.ts';
import {
  type ControlService,
  newSfuKeys,
  type SfuNode,
  startBalancer,
  startControlService,
  startNode,
  startRedis,
} from './parts.ts';

const ROBOTS_AT_LEAST = 4;
const ROBOTS_AT_MOST = 24;

interface FleetRobot {
  id: string;
  room: string;
  runtime: ScriptedRuntime;
}

const closers: (() => Promise<unknown>)[] = [];
const apiKey = newApiKey(randomBytes);
const robots: FleetRobot[] = [];
let services: ControlService[];
let nodes: SfuNode[];
let redis: Awaited<ReturnType<typeof startRedis>>;

beforeAll(async () => {
  const started = await Promise.all([startRedis(), newPostgresDatabase()]);
  const databaseUrl = started[1];
  redis = started[0];
  closers.push(() => redis.stop());
  const keys = newSfuKeys();
  nodes = await Promise.all([startNode(redis.address, keys), startNode(redis.address, keys)]);
  closers.push(() => Promise.all(nodes.map((node) => node.stop())));
  const balancer = await startBalancer(nodes.map((node) => node.httpPort));
  closers.push(() => balancer.close());
  const env = {
    DATABASE_URL: databaseUrl,
    LIVEKIT_URL: `ws://127.0.0.1:${balancer.port}`,
    LIVEKIT_API_KEY: keys.apiKey,
    LIVEKIT_API_SECRET: keys.apiSecret,
  };
  services = await Promise.all([startControlService(env), startControlService(env)]);
  closers.push(() => Promise.all(services.map((service) => service.kill())));
  const database = await openDatabase({ kind: 'server', url: databaseUrl });
  await grantOnlyKey({ db: database.db, clock: systemClock, randomBytes }, 'fleet', apiKey, 'the test of a fleet');
  await database.close();
}, 300_000);

afterAll(async () => {
  await Promise.all(robots.map(({ runtime }) => runtime.leave()));
  for (const close of closers.reverse()) await close();
});

// biome-ignore lint/suspicious/noExplicitAny: answers have many shapes; the test checks the one that it expects.
async function ask(service: ControlService | undefined, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(`${service?.baseUrl}/rcs/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const said = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${said}`);
  return said === '' ? null : JSON.parse(said);
}

/** Makes a robot with a session at one service, and admits its runtime at the other. */
async function addRobot(one: ControlService | undefined, other: ControlService | undefined): Promise<void> {
  const { robot } = await ask(one, 'POST', '/robots', { name: 'Fleet', model: 'm' });
  const session = await ask(one, 'POST', `/robots/${robot.id}/session`, { worker_names: [] });
  const place = await ask(other, 'POST', `/robots/${robot.id}/session/participant-token`, {
    participant_identity: `simplesim:${robot.id}`,
  });
  expect(place.room_name).toBe(session.room_name);
  const runtime = await joinScriptedRuntime(place.livekit_url, place.participant_token);
  robots.push({ id: robot.id, room: session.room_name, runtime });
}

const nod = (service: ControlService | undefined, { id }: FleetRobot) =>
  ask(service, 'POST', `/robots/${id}/session/command`, { skill: 'set_head', parameters: { yaw: 0.1 }, deadline_s: 60 });

/** Returns which node has which room, as LiveKit records it in Redis. */
async function nodeOfRoom(): Promise<Map<string, string>> {
  const words = (await redis.ask('HGETALL room_node_map')).split('\r\n').filter((word) => word !== '' && !/^[*$]/.test(word));
  return new Map(words.flatMap((word, i) => (i % 2 === 0 ? [[word, words[i + 1] ?? ''] as const] : [])));
}

it('robots are distributed over both nodes, and either service reaches each of them', async () => {
  const isSpread = async () => new Set((await nodeOfRoom()).values()).size === 2;
  while (robots.length < ROBOTS_AT_LEAST || !(await isSpread())) {
    if (robots.length === ROBOTS_AT_MOST) throw new Error(`${ROBOTS_AT_MOST} rooms are on one node.`);
    await addRobot(services[robots.length % 2], services[(robots.length + 1) % 2]);
  }
  const answers = await Promise.all(services.flatMap((service) => robots.map((robot) => nod(service, robot))));
  expect(answers.every(({ status }) => status === 'done')).toBe(true);
  const lists = await Promise.all(services.map((service) => ask(service, 'GET', '/robots?limit=100')));
  expect(lists.map(({ total }) => total)).toEqual([robots.length, robots.length]);
});

it('a session is the same at either service, and its end reaches all participants', async () => {
  const { robot } = await ask(services[0], 'POST', '/robots', { name: 'One', model: 'm' });
  const path = `/robots/${robot.id}/session`;
  const sessions = await Promise.all(services.map((service) => ask(service, 'POST', path, { worker_names: [] })));
  expect(sessions[0].room_name).toBe(sessions[1].room_name);
  await ask(services[1], 'DELETE', path);
  await expect(ask(services[0], 'POST', `${path}/participant-token`, { participant_identity: 'x' })).rejects.toThrow(
    /409.*session.not_found/,
  );
  await ask(services[0], 'DELETE', `/robots/${robot.id}`);
});

it('a service continues with the robots of another that dies', async () => {
  await services[0]?.kill();
  const answers = await Promise.all(robots.map((robot) => nod(services[1], robot)));
  expect(answers.every(({ status }) => status === 'done')).toBe(true);
  await addRobot(services[1], services[1]);
  expect((await nod(services[1], robots.at(-1) as FleetRobot)).status).toBe('done');
});

it('the rooms of a dead node return on the other node, and so do their participants', async () => {
  const before = await nodeOfRoom();
  nodes[0]?.kill();
  // Runtimes rejoin automatically; a command waits for them.
  const answers = await Promise.all(robots.map((robot) => nod(services[1], robot)));
  expect(answers.every(({ status }) => status === 'done')).toBe(true);
  const after = await nodeOfRoom();
  const rooms = robots.map(({ room }) => room);
  expect(new Set(rooms.map((room) => before.get(room))).size).toBe(2);
  expect(new Set(rooms.map((room) => after.get(room))).size).toBe(1);
  await waitUntil(async () => (await ask(services[1], 'GET', '/robots?limit=1')).total === robots.length, 'the robots');
  await addRobot(services[1], services[1]);
  expect((await nod(services[1], robots.at(-1) as FleetRobot)).status).toBe('done');
}, 180_000);
