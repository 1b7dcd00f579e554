import { describe, expect, it } from 'vitest';
import { guardSchema } from '../../src/protocol/wire/action.ts';
import { createCallDeduplicator, type IncomingCall } from '../../src/protocol/wire/call-deduplicator.ts';

const call = (over: Partial<IncomingCall> = {}): IncomingCall => ({
  requestId: 'request-1',
  method: 'runtime.state',
  payload: '{}',
  callerIdentity: 'client-1',
  ...over,
});

describe('the call handler', () => {
  it('P5: answers a repeated request with the first answer and runs it once', async () => {
    let runs = 0;
    const deduplicator = createCallDeduplicator(
      async () => `{"run":${++runs}}`,
      () => 0,
    );
    const [first, second] = await Promise.all([deduplicator(call()), deduplicator(call())]);
    expect([first, second, await deduplicator(call())]).toEqual(['{"run":1}', '{"run":1}', '{"run":1}']);
    expect(runs).toBe(1);
  });

  it('distinguishes callers that choose the same request id', async () => {
    let runs = 0;
    const deduplicator = createCallDeduplicator(
      async () => `${++runs}`,
      () => 0,
    );
    expect(await deduplicator(call())).toBe('1');
    expect(await deduplicator(call({ callerIdentity: 'client-2' }))).toBe('2');
    expect(await deduplicator(call({ requestId: 'request-2' }))).toBe('3');
  });

  it('remembers a call while it is open and for a minute after its answer', async () => {
    let nowMs = 0;
    let runs = 0;
    let finish = (_text: string): void => {};
    const deduplicator = createCallDeduplicator(
      () => {
        runs += 1;
        return new Promise((resolve) => {
          finish = resolve;
        });
      },
      () => nowMs,
    );
    const open = deduplicator(call());
    nowMs = 600_000;
    const repeated = deduplicator(call());
    finish('late');
    expect([await open, await repeated]).toEqual(['late', 'late']);
    expect(runs).toBe(1);
    nowMs = 700_000;
    void deduplicator(call());
    expect(runs).toBe(2);
  });

  it('keeps a bounded number of answers and drops the oldest', async () => {
    let runs = 0;
    const deduplicator = createCallDeduplicator(
      async () => `${++runs}`,
      () => 0,
    );
    for (let made = 0; made < 5_000; made += 1) await deduplicator(call({ requestId: `request-${made}` }));
    expect(await deduplicator(call({ requestId: 'request-4000' }))).toBe('4001');
    expect(await deduplicator(call({ requestId: 'request-0' }))).toBe('5001');
  });

  it.each([
    [
      'throws at once',
      () => {
        throw new Error('secret inside');
      },
    ],
    ['rejects', () => Promise.reject(new Error('secret inside'))],
  ])('turns a handler that %s into a guard without its text', async (_how, answer) => {
    const reply = await createCallDeduplicator(answer, () => 0)(call());
    const parsed = guardSchema.parse(JSON.parse(reply));
    expect(parsed.error).toMatchObject({ code: 'INTERNAL', details: { world_changed: 'unknown' } });
    expect(reply).not.toContain('secret');
  });

  it('never sends a reply that is larger than one RPC carries', async () => {
    const reply = await createCallDeduplicator(
      async () => JSON.stringify('ü'.repeat(8_000)),
      () => 0,
    )(call());
    expect(guardSchema.parse(JSON.parse(reply)).error.code).toBe('PAYLOAD_TOO_LARGE');
  });
});
