/** A call that its client gives up over HTTP stops the robot, and a repeated call learns what became of the first. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listKeys, revokeKey } from '../../src/control-service/accounts.ts';
import type { RpcCall } from '../../src/control-service/sfu-admin.ts';
import { connectClient, GENERATIONS, openRaw, type RawClient } from './helpers/mcp-clients.ts';
import { type McpService, startTestService, withRobot } from './helpers/mcp-service.ts';

const PATIENTLY = { timeout: 20_000 };
const STATE = {
  timestamp: { sim_time_s: 1 },
  runtime: { status: 'ready' },
  robot: { pose: { position: [0, 0, 0], yaw_deg: 0 }, status: 'ready', held_entity_ids: [], extra: {} },
};

let place: McpService;
let service: McpService['service'];
/** The runtime in the room: each action runs until it is cancelled or ended. */
let actions: Map<string, { starts: number; end(reply: object): void; cancels: number; reply: Promise<string> }>;

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  place = await withRobot(service);
  actions = new Map();
  service.sfu.answer = (call) => answer(call);
});
afterAll(() => service.close());

const meta = (id: string) => ({ action_id: id, started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 });
const done = (id: string) => ({ status: 'done', result: {}, meta: meta(id) });
const cancelled = (id: string) => ({
  status: 'failed',
  error: { code: 'CANCELLED', message: 'Cancelled.', details: { attempted: true, world_changed: 'yes' } },
  meta: meta(id),
});

function answer({ method, payload }: RpcCall): string | Promise<string> {
  const asked = JSON.parse(payload);
  if (method === 'runtime.state') return JSON.stringify(STATE);
  if (method === 'runtime.manifest') return JSON.stringify({ profile: 'simulator' });
  const id: string = asked.options?.action_id ?? '';
  if (method === 'runtime.cancel') {
    const action = actions.get(id);
    if (!action) return JSON.stringify({ status: 'failed', error: { code: 'ACTION_NOT_FOUND', message: 'Unknown.' } });
    action.cancels += 1;
    action.end(cancelled(id));
    return action.reply;
  }
  if (asked.name === 'cancel') {
    for (const [running, action] of actions) action.end(cancelled(running));
    return JSON.stringify({ ...done(id), result: { cancelled_action_ids: [...actions.keys()] } });
  }
  const known = actions.get(id);
  if (known) return known.reply;
  let end = (_reply: object): void => undefined;
  const reply = new Promise<string>((resolve) => {
    end = (value) => resolve(JSON.stringify(value));
  });
  actions.set(id, { starts: 1, end, cancels: 0, reply });
  return reply;
}

const options = () => ({ fetch: place.fetch, key: service.keys[0] });
const started = (count = 1) => expect.poll(() => actions.size, PATIENTLY).toBe(count);
const only = () => [...actions.values()][0] as NonNullable<ReturnType<typeof actions.get>>;
const endAll = (): void => {
  for (const [id, action] of actions) action.end(done(id));
};
/** The facts of a reply, as JSON or as the last event of a stream. */
const factsOf = (text: string) => {
  const messages = text.startsWith('{') ? [text] : [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => data ?? '');
  return JSON.parse(messages.at(-1) ?? '').result.structuredContent;
};
const drive = (raw: RawClient, more = {}) => raw.call('drive', { vx: 0.5, seconds: 5 }, more);
/** Calls a tool, and breaks the connection once the robot acts. */
async function abandoned(raw: RawClient, input: object = { vx: 0.5, seconds: 5 }): Promise<void> {
  const before = actions.size;
  const breaking = new AbortController();
  const calling = raw.call('drive', input, { signal: breaking.signal }).then(
    ({ text }) => text().catch(() => ''),
    () => '',
  );
  await started(before + 1);
  breaking.abort();
  await calling;
}

describe.each(GENERATIONS)('over HTTP, a client of %s', (generation) => {
  const open = () => openRaw(generation, options());

  it('that cancels its call stops the robot', async () => {
    const client = await connectClient(generation, options());
    const giveUp = new AbortController();
    const calling = client.callTool({ name: 'drive', arguments: { vx: 0.5, seconds: 5 } }, { signal: giveUp.signal });
    const over = expect(calling).rejects.toThrow();
    await started();
    giveUp.abort('enough');
    await over;
    await expect.poll(() => only().cancels, PATIENTLY).toBeGreaterThan(0);
    await client.close();
  });

  it('whose connection breaks stops the robot, and the repeated call joins the first', async () => {
    const raw = await open();
    await abandoned(raw);
    await expect.poll(() => only().cancels, PATIENTLY).toBeGreaterThan(0);
    const again = factsOf(await (await drive(raw)).text());
    expect(again).toMatchObject({ status: 'failed', code: 'CANCELLED', action_id: [...actions.keys()][0] });
    expect(actions.size).toBe(1);
    const third = drive(raw);
    await started(2);
    endAll();
    expect(factsOf(await (await third).text())).toMatchObject({ status: 'done' });
  });

  it('that closes the stream with progress stops the robot', async () => {
    const raw = await open();
    const call = await drive(raw, { progressToken: 'p' });
    expect(call.response.headers.get('content-type')).toBe('text/event-stream');
    const reader = call.response.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    await expect.poll(() => only().cancels, PATIENTLY).toBeGreaterThan(0);
  });

  it('whose key is revoked while it waits stops the robot', async () => {
    const raw = await open();
    const call = drive(raw).then(
      ({ text }) => text(),
      () => '',
    );
    await started();
    const [key] = await listKeys(service.deps.db, 'one');
    await revokeKey(service.deps, key?.id ?? '');
    await expect.poll(() => only().cancels, PATIENTLY).toBeGreaterThan(0);
    await call;
  });

  it('that repeats a broken call gets its result once, and never a second motion', async () => {
    const raw = await open();
    const replies: string[] = [];
    for (let round = 0; round < 20; round += 1) {
      // Equal arguments in each round: a delivered reply must not be joined.
      await abandoned(raw);
      const again = factsOf(await (await drive(raw)).text());
      replies.push(again.action_id);
    }
    expect(new Set(replies).size).toBe(20);
    expect(actions.size).toBe(20);
  });

  it('that loses a reply on the way gets it again, by its arguments or its action_id', async () => {
    const raw = await open();
    for (const input of [
      { vx: 0.5, seconds: 5 },
      { vx: 0.5, seconds: 5, action_id: 'mine' },
    ]) {
      actions.clear();
      const lost = raw.call('drive', input);
      await started();
      endAll();
      await (await lost).break();
      const again = factsOf(await (await raw.call('drive', input)).text());
      expect(again).toMatchObject({ status: 'done' });
      expect(actions.size).toBe(1);
    }
    // Also after the reply was delivered, an action_id never runs twice.
    const input = { vx: 0.5, seconds: 5, action_id: 'mine' };
    expect(factsOf(await (await raw.call('drive', input)).text())).toMatchObject({ action_id: 'mine', status: 'done' });
    expect(actions.size).toBe(1);
  });

  it('receives progress that rises, and none after the result', async () => {
    const raw = await open();
    const call = await drive(raw, { progressToken: 'p' }).then(async (opened) => {
      setTimeout(endAll, 3_500);
      return opened;
    });
    const events = [...(await call.text()).matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? ''));
    const result = events.findIndex((event) => 'result' in event);
    expect(result).toBe(events.length - 1);
    const progress = events.slice(0, result).map(({ method, params }) => {
      expect(method).toBe('notifications/progress');
      expect(params.progressToken).toBe('p');
      return params.progress as number;
    });
    expect(progress.length).toBeGreaterThan(1);
    expect([...progress].sort((a, b) => a - b)).toEqual(progress);
  });
});

it('the notification of a client of 2025 stops the robot while its stream stays open', async () => {
  const raw = await openRaw('2025-11-25', options());
  const call = await drive(raw, { id: 77 });
  await started();
  const noted = await raw.notify('notifications/cancelled', { requestId: 77, reason: 'enough' });
  expect(noted.status).toBe(202);
  await expect.poll(() => only().cancels, PATIENTLY).toBeGreaterThan(0);
  await call.break();
});

it('the end of a session of 2025 stops the robot', async () => {
  const raw = await openRaw('2025-11-25', options());
  const call = await drive(raw);
  await started();
  const headers = { Authorization: `Bearer ${service.keys[0]}`, 'Mcp-Session-Id': raw.sessionId ?? '' };
  expect((await place.fetch('http://localhost/mcp', { method: 'DELETE', headers })).status).toBe(200);
  await expect.poll(() => only().cancels, PATIENTLY).toBeGreaterThan(0);
  await call.break();
});

it('two programs with one key do not join each other’s calls', async () => {
  const [one, two] = await Promise.all(['one', 'two'].map((name) => openRaw('2026-07-28', { ...options(), name })));
  const calls = [one, two].map((raw) => drive(raw as RawClient).then((call) => call.text()));
  await started(2);
  endAll();
  const ids = (await Promise.all(calls)).map((text) => factsOf(text).action_id);
  expect(new Set(ids).size).toBe(2);
});

it('the stop of a program is accepted however many calls of the account wait', async () => {
  service.deps.settings.accountLimits.waitingCommands = 2;
  const raw = await openRaw('2026-07-28', options());
  const calls = [0.1, 0.2].map((vx) => raw.call('drive', { vx, seconds: 5 }).then((call) => call.text()));
  await started(2);
  expect((await raw.call('drive', { vx: 0.3, seconds: 5 })).response.status).toBe(429);
  expect(factsOf(await (await raw.call('stop', {})).text())).toMatchObject({ status: 'done', at_rest: true });
  await Promise.all(calls);
  service.deps.settings.accountLimits.waitingCommands = 100;
});

// The last test, because the service ends.
it('the end of the service ends the running actions, and their clients get the replies', async () => {
  const raws = await Promise.all(GENERATIONS.map((generation) => openRaw(generation, { ...options(), name: generation })));
  const calls = raws.map((raw, at) => raw.call('drive', { vx: 0.1 * (at + 1), seconds: 5 }).then((call) => call.text()));
  await started(2);
  await service.deps.memory.agents.endAll();
  for (const text of await Promise.all(calls)) expect(factsOf(text)).toMatchObject({ status: 'failed', code: 'CANCELLED' });
});
