/** The client library, the operator’s page and the service send a refused command as often as the vectors require. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MethodName } from '../../src/protocol/wire/methods.ts';
import { createOperatorSigner } from '../../src/viewer/engine/visitor/operator-signer.ts';
import { doneReply, guardReply } from '../client/helpers/fake-room.ts';
import { createWorld } from '../client/helpers/signed-world.ts';
import { startTestService, type TestService } from '../control-service/helpers/service.ts';
import refusals from './vectors/refusals.json' with { type: 'json' };

interface Command {
  name: string;
  input: Record<string, number>;
}
const DRIVE: Command = { name: 'set_velocity', input: { vx: 0.1 } };
const STOP: Command = { name: 'stop', input: {} };
const ENVELOPE = 'runtime.forward_envelope';

/** Sends a command to a robot that answers each envelope with `answer()`, until the command has ended. */
type Send = (command: Command, answer: () => object) => Promise<unknown>;

let service: TestService;
let robotId = '';
beforeAll(async () => {
  service = await startTestService();
  await service.reset();
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  robotId = created.body.result.id;
  await service.send('POST', `/v1/robots/${robotId}/session`);
  service.sfu.identities = [`simplesim:${robotId}`];
});
afterAll(() => service.close());

async function byClient({ name, input }: Command, answer: () => object): Promise<void> {
  const { session } = await createWorld({ envelope: answer });
  await session.invoke(name, input, { actionId: 'a' }).catch(() => undefined);
}

async function byOperator(command: Command, answer: () => object): Promise<void> {
  const signer = createOperatorSigner({
    epochMs: Date.now,
    nowMs: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    fetchGrant: async () => ({ grant: 'grant', robot_id: 'r1', session: 'room-1' }),
  });
  const method: MethodName = 'runtime.tools_call';
  await signer.send({ to: 'rcw-r1', method, payload: { ...command }, timeoutMs: 5_000, send: async () => answer() });
}

async function byService({ name, input }: Command, answer: () => object): Promise<void> {
  service.sfu.answer = ({ method, payload }) => {
    if (method === ENVELOPE) return JSON.stringify(answer());
    const isCommand = method === 'runtime.tools_call' && JSON.parse(payload).name === name;
    return JSON.stringify(isCommand ? guardReply('PERMISSION_DENIED', 'Sign it.', { signed_control: true }) : {});
  };
  const body = { skill: name, parameters: input };
  await service.send('POST', `/rcs/v1/robots/${robotId}/session/command`, { body });
}

/** How often a command is sent to a robot that refuses it four times and then accepts it. */
const timesSent = (retries: readonly string[]): number => {
  const end = retries.indexOf('no');
  return 1 + (end < 0 ? retries.length : end);
};

describe.each<[string, Send]>([
  ['the client library', byClient],
  ['an operator’s page', byOperator],
  ['the service', byService],
])('%s', (_caller, send) => {
  test.each(refusals.refusals)('$code: $what', async ({ code, details, command, stop }) => {
    for (const [sent, retries] of [[DRIVE, command] as const, [STOP, stop] as const]) {
      let count = 0;
      await send(sent, () => {
        count += 1;
        return count <= 4 ? guardReply(code, 'Refused.', details as Record<string, unknown>) : doneReply('a');
      });
      expect([sent.name, count]).toEqual([sent.name, timesSent(retries)]);
    }
  });
});
