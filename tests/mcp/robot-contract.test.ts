/** A motion over HTTP reaches only a robot of the contract for which it was made, and never follows a stop. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { RobotAccess } from '../../src/agent-tools/robot-access.ts';
import { robots } from '../../src/control-service/db/schema.ts';
import { robotAccess } from '../../src/control-service/mcp-access.ts';
import type { RpcCall } from '../../src/control-service/sfu-admin.ts';
import { SfuError } from '../../src/control-service/sfu-error.ts';
import { doneReply } from '../client/helpers/fake-room.ts';
import { type McpService, startTestService, withRobot } from './helpers/mcp-service.ts';

let place: McpService;
let service: McpService['service'];
let access: RobotAccess;
/** The skills that the runtime got. */
let skills: string[];
let manifest: () => string | Promise<string>;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
beforeEach(async () => {
  place = await withRobot(service);
  const [row] = await service.deps.db.select().from(robots);
  if (row?.ownerId === undefined) throw new Error('There is no robot.');
  access = robotAccess(service.deps, { accountId: row.ownerId, keyId: 'k' } as Parameters<typeof robotAccess>[1], row);
  skills = [];
  manifest = () => JSON.stringify({ profile: 'simulator' });
  service.sfu.answer = async ({ method, payload }: RpcCall) => {
    if (method === 'runtime.manifest') return manifest();
    const { name, options } = JSON.parse(payload);
    if (method === 'runtime.tools_call') skills.push(name);
    return JSON.stringify(doneReply(options?.action_id ?? ''));
  };
});

const join = (number: number): void => void service.sfu.joins.set(`simplesim:${place.robotId}`, number);

it('a velocity for the simulator does not reach a robot that holds velocities, whatever another call has learned', async () => {
  join(1);
  await access.meet?.();
  const contract = access.profile;
  manifest = () => JSON.stringify({ profile: 'worker' });
  join(2);
  await access.meet?.();
  const reply = await access.invoke('set_velocity', { vx: 0.3, duration_s: 1 }, { actionId: 'd', deadlineS: 5, contract });
  expect(reply).toMatchObject({ status: 'failed', error: { code: 'NOT_READY', details: { attempted: false } } });
  expect([access.profile, skills]).toEqual(['worker', []]);
});

it('a motion whose robot does not report its contract was not sent, and is a refusal', async () => {
  manifest = () => {
    service.clock.advanceMs(1_000);
    throw new SfuError('rpc_no_reply', 'No reply came.');
  };
  const reply = await access.invoke('go_to', { target: {} }, { actionId: 'g', deadlineS: 5, contract: 'simulator' });
  expect(reply).toMatchObject({ status: 'failed', error: { code: 'NOT_READY', details: { attempted: false } } });
  expect(skills).toEqual([]);
});

it('a motion that waits for the contract does not follow a stop', async () => {
  let answer = (_text: string): void => undefined;
  const asked = new Promise<void>((resolve) => {
    manifest = () => {
      resolve();
      return new Promise<string>((answered) => {
        answer = answered;
      });
    };
  });
  const going = access.invoke('go_to', { target: {} }, { actionId: 'g', deadlineS: 5, contract: 'simulator' });
  await asked;
  await access.invoke('cancel', {}, { actionId: 'c' });
  answer(JSON.stringify({ profile: 'simulator' }));
  expect(await going).toMatchObject({ status: 'failed', error: { details: { attempted: false } } });
  expect(skills).toEqual(['cancel']);
});
