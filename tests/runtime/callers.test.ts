import { describe, expect, it } from 'vitest';
import { type Caller, callerKey, PAGE, unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { createRcw } from './rcw/rcw-runtime.ts';
import { createTestRuntime } from './test-runtime.ts';

const HOLDER: Caller = { kind: 'holder', holder: 'operator', grantId: 'grant-1', carrier: 'agent' };
const SIGNED = { holder: 'operator', grantId: 'grant-1' };
const drive = (id: string, vx = 0.3) => JSON.stringify({ name: 'set_velocity', input: { vx }, options: { action_id: id } });

describe('the recorded caller of an action', () => {
  it('the caller of a signed call is its signer, with the carrier beside it, in the ledger, the list and the call it replaced', async () => {
    const t = await createRcw(true);
    const first = t.sendText('runtime.tools_call', drive('first'), 'agent', SIGNED);
    const second = t.sendText('runtime.tools_call', drive('second', 0.4), 'postman', { holder: 'other', grantId: 'grant-2' });
    expect(first.reply.error).toMatchObject({
      code: 'CANCELLED',
      details: {
        superseded_by: 'second',
        superseder: { kind: 'holder', holder: 'other', grant_id: 'grant-2', carrier: 'postman' },
      },
    });
    t.finish(second);
    expect(t.accepted.map(({ caller }) => caller)).toEqual([
      HOLDER,
      { ...HOLDER, holder: 'other', grantId: 'grant-2', carrier: 'postman' },
    ]);
    expect(t.records.at(-1)).toMatchObject({ status: 'done', caller: { kind: 'holder', holder: 'other', carrier: 'postman' } });
    expect(t.ended[0]?.caller).toEqual(HOLDER);
  });

  it('the caller of a cancel is reported with its kind, whatever its identity', async () => {
    for (const [identity, signedBy, canceller] of [
      ['viewer', undefined, { kind: 'participant', identity: 'viewer' }],
      ["the robot's page", undefined, { kind: 'participant', identity: "the robot's page" }],
      ['postman', SIGNED, { kind: 'holder', holder: 'operator', grant_id: 'grant-1', carrier: 'postman' }],
    ] as const) {
      const t = await createRcw(false);
      t.sendText('runtime.tools_call', JSON.stringify({ name: 'stop', input: {} }), 'agent');
      const walking = t.start('set_velocity', { vx: 0.2 }, { action_id: 'drive' });
      const cancel = JSON.stringify({ options: { action_id: 'drive' } });
      t.sendText('runtime.cancel', cancel, identity, signedBy);
      expect(t.finish(walking).error).toMatchObject({ code: 'CANCELLED', details: { canceller } });
    }
  });

  it('a participant named like the page, or like its markers, is a participant: it gets its pictures', async () => {
    const t = await createTestRuntime();
    for (const identity of ['viewer', 'page', '', 'cockpit/x', 'drive/a/1']) {
      const call = t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } }, identity);
      expect(t.jobs.at(-1)?.callerIdentity).toBe(identity);
      t.runtime.finishCapture(t.jobs.at(-1)?.actionId ?? '', { ok: true, byteLength: 1 }, t.nowMs);
      expect(call.reply.status).toBe('done');
      expect(t.ended.at(-1)?.caller).toEqual({ kind: 'participant', identity });
    }
  });

  it('two callers of different kinds are never equal', () => {
    const callers: Caller[] = [
      PAGE,
      unsignedCaller(null, 'agent'),
      { kind: 'robot', what: 'page' },
      ...['page', 'viewer', 'operator', 'participant page'].map((identity) => unsignedCaller(identity)),
      ...['page', 'viewer', 'operator'].map((holder): Caller => ({ ...HOLDER, holder }) as Caller),
    ];
    expect(new Set(callers.map(callerKey)).size).toBe(callers.length);
  });

  it('the share of a holder is its own, whichever participant carries its calls', () => {
    expect(callerKey({ ...HOLDER, carrier: 'another' } as Caller)).toBe(callerKey(HOLDER));
  });
});
