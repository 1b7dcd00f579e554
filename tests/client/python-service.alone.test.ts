/** The Python library over HTTP against the service itself: starts a service, and counts its tests. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { NEWEST_LIVEKIT, PYTHON_LIBRARY_DIR, pythonWith } from '../../scripts/ensure-python.ts';
import { createKey, revokeKey } from '../../src/control-service/accounts.ts';
import { createApp } from '../../src/control-service/app.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { simulatorIdentity } from '../../src/protocol/wire/identity.ts';
import { startTestService, type TestService } from '../control-service/helpers/service.ts';
import { doneReply, guardReply } from './helpers/fake-room.ts';

/** Each test that claims a robot takes its own, and each runs with both clients. */
const PHYSICAL_ROBOTS = 4;

const dir = mkdtempSync(join(tmpdir(), 'python-service-'));
const run = promisify(execFile);
let service: TestService;
let http: ReturnType<typeof createServer>;

beforeAll(async () => {
  service = await startTestService();
  await service.reset();
  service.sfu.listIdentities = async () =>
    [...service.sfu.rooms.values()].map((metadata) => simulatorIdentity((JSON.parse(metadata) as { robot_id: string }).robot_id));
  service.sfu.answer = ({ payload }) => {
    const { name, options } = JSON.parse(payload) as { name?: string; options?: { action_id?: string } };
    const details = { stage: 'control', attempted: false, world_changed: 'no', retryable: true };
    if (name === 'go_to') return JSON.stringify(guardReply('BUSY', 'The base is taken.', details));
    return JSON.stringify(doneReply(options?.action_id ?? 'none', { speed: 2 }));
  };
  http = createServer(getRequestListener(createApp(service.deps).fetch));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await new Promise((resolve) => http.close(resolve));
  await service.close();
  rmSync(dir, { recursive: true, force: true });
});

test('the Python library and the service keep the rows of the specification that both implement', async () => {
  const revoked = await createKey(service.deps, { account: 'lab', name: 'lab', expiresAt: null });
  await revokeKey(service.deps, revoked.info.id);
  const expired = await createKey(service.deps, { account: 'lab', name: 'lab', expiresAt: new Date(0) });
  const physical = await Promise.all(
    Array.from({ length: PHYSICAL_ROBOTS }, () => registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' })),
  );
  const place = join(dir, 'service.json');
  const facts = {
    rcs_url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/rcs`,
    keys: service.keys,
    bad_keys: { unknown: 'sk_live_wrong-and-secret', revoked: revoked.key, expired: expired.key },
    physical: physical.map(({ robot, pinCode }) => ({ id: robot.id, pin: pinCode })),
  };
  writeFileSync(place, JSON.stringify(facts), { mode: 0o600 });
  const python = pythonWith(NEWEST_LIVEKIT, () => {});
  const { stdout } = await run(python, ['-m', 'pytest', '--quiet', 'tests/service'], {
    cwd: PYTHON_LIBRARY_DIR,
    env: { ...process.env, PLATFORM_TEST_SERVICE: place },
  }).catch((error: Error & { stdout: string }) => {
    throw new Error(error.stdout || error.message);
  });
  expect(Number(/(\d+) passed/.exec(stdout)?.[1])).toBeGreaterThanOrEqual(26);
});
