/** Text from a third-party runtime never becomes a code of the service, a label of its metrics or a line of its log. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../src/control-service/app.ts';
import { formatLogLine } from '../../src/control-service/log.ts';
import { SERVICE_ERRORS } from '../../src/protocol/service/service-errors.ts';
import { ERROR_CODES } from '../../src/protocol/wire/error-codes.ts';
import { startTestService, type TestService } from './helpers/service.ts';

let service: TestService;
let app: ReturnType<typeof createApp>;
let id: string;

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  await service.reset();
  app = createApp(service.deps, { metricsAccess: 'anybody' });
  const created = await ask('POST', '/v1/robots', { name: 'Ada', model: 'm', type: 'virtual' });
  id = created.body.result.id;
  await ask('POST', `/v1/robots/${id}/session`);
  service.sfu.identities = [`simplesim:${id}`];
});
afterAll(() => service.close());

async function ask(method: string, path: string, body?: unknown) {
  const response = await app.request(path, {
    method,
    headers: { Authorization: `Bearer ${service.keys[0]}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}
const move = () => ask('POST', `/v1/robots/${id}/semantic-command`, { command: 'forward' });
const metrics = async (): Promise<string> => (await app.request('/metrics')).text();
const answerWith = (code: string, message = 'No.') => {
  service.sfu.answer = () => JSON.stringify({ status: 'failed', error: { code, message } });
};

it.each([
  ['to a skill', 'runtime.tools_call'],
  ['to the question what it is', 'runtime.manifest'],
])('forty codes of a runtime, %s, add no metrics series, and long codes add no long log line', async (_, method) => {
  await move();
  const before = (await metrics()).split('\n').length;
  for (let i = 0; i < 40; i += 1) {
    const code = `claim.${i}${'x'.repeat(i === 39 ? 8_000 : 1)}`;
    const error = { code, message: 'No.' };
    service.sfu.answer = (call) =>
      call.method === method ? JSON.stringify({ status: 'failed', error }) : '{"profile":"simulator"}';
    expect(await move()).toMatchObject({ status: 502, body: { code: 'runtime.call_failed' } });
  }
  const after = await metrics();
  expect(after).not.toContain('claim.1');
  expect(after).not.toContain('rcs_claims_refused_total{');
  // Only a status.
  expect(after.split('\n').length - before).toBeLessThan(20);
  for (const entry of service.log) {
    const known = entry.code === undefined || Object.hasOwn(SERVICE_ERRORS, String(entry.code));
    expect([entry.code, known]).toEqual([entry.code, true]);
    expect(formatLogLine(entry, 0).length).toBeLessThan(600);
  }
});

it('a code of the contract is passed on with the runtime’s message', async () => {
  for (const code of Object.keys(ERROR_CODES)) {
    answerWith(code, 'Not now.');
    // A refused unsigned call is repeated in an envelope; the refusal stays a refusal.
    expect(await move()).toMatchObject({ status: 409, body: { code, message: 'Not now.' } });
  }
});

it('a runtime’s own code is reported to the owner if it has the form of a code', async () => {
  answerWith('E_STOP', 'Pressed.');
  const own = await move();
  expect(own).toMatchObject({ status: 502, body: { code: 'runtime.call_failed', details: { runtime_code: 'E_STOP' } } });
  expect(own.body.message).toContain('Pressed.');
  for (const code of [
    'x'.repeat(65),
    'a b',
    'a\nb',
    '__proto__"}',
    '',
    'claim.wrong_pin',
    'internal',
    'http.401',
    'constructor',
  ]) {
    answerWith(code, 'y'.repeat(10_000));
    const { status, body } = await move();
    expect([code, status, body.code]).toEqual([code, 502, 'runtime.call_failed']);
    expect(body.details.runtime_code ?? '').toMatch(/^[\w.-]{0,64}$/);
    expect(body.message.length).toBeLessThan(1_000);
  }
});

it('a room full of runtimes with long names is reported with a few of the names', async () => {
  service.sfu.identities = Array.from({ length: 300 }, (_, i) => `simplesim-${i}${'x'.repeat(240)}`);
  const answer = await move();
  expect(answer).toMatchObject({ status: 409, body: { code: 'runtime.ambiguous' } });
  expect(answer.body.details.identities).toHaveLength(10);
  expect(answer.body.message).toContain(', and 290 more)');
});

it('a method of any length that no server truncates is one short word in the log', async () => {
  await app.request('/v1/robots', { method: 'X'.repeat(5_000) });
  expect(service.log.at(-1)).toMatchObject({ event: 'request', method: 'X'.repeat(20) });
});
