import { describe, expect, test } from 'vitest';
import type { RuntimeState } from '../../../src/protocol/state.ts';
import { type OwnCall, withCall, withReply, withState } from '../../../src/viewer/engine/visitor/own-actions.ts';
import { asOwn } from '../../../src/viewer/engine/visitor/own-caller.ts';

const hand = (number: number) => ({ stroke: { id: 's1', number } });
const drive = (number: number): OwnCall => ({
  actionId: `drive/s1/${number}`,
  kind: 'tool',
  name: 'set_velocity',
  input: { vx: 0.5 },
  hand: hand(number),
  atMs: number,
});
const meta = (actionId: string) => ({ action_id: actionId, started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 });
const stateWith = (runtime: Partial<RuntimeState['runtime']>) =>
  ({ runtime: { status: 'busy', accepts_tool_calls: true, accepts_capture_requests: true, ...runtime } }) as RuntimeState;
const active = (actionId: string) => ({
  action_id: actionId,
  kind: 'tool' as const,
  name: 'set_velocity',
  started_at_ms: 1,
  phase: 'driving',
});

const noPoses = () => false;

describe('the actions of an operator’s page', () => {
  test('the commands of one stroke are one entry, and a state that is older than their replies makes no other of them', () => {
    let actions = withCall([], drive(1));
    actions = withCall(actions, drive(2));
    expect(actions).toMatchObject([{ actionId: 'drive/s1/2', status: 'running', stroke: { id: 's1', commands: 2 } }]);
    const isOwn = (id: string) => id.startsWith('drive/s1/');
    const late = withState(actions, stateWith({ active_action: active('drive/s1/1') }), isOwn, noPoses);
    expect(late).toEqual(actions);
    const ended = withState(
      actions,
      stateWith({ last_action: { ...meta('drive/s1/1'), kind: 'tool', name: 'set_velocity', status: 'cancelled' } }),
      isOwn,
      noPoses,
    );
    expect(ended).toEqual(actions);
  });
  test('what was refused has never been an action; what was done or cancelled is', () => {
    const called = withCall([], { actionId: 'a', kind: 'tool', name: 'go_to', input: {}, atMs: 1 });
    expect(
      withReply(
        called,
        { actionId: 'a', kind: 'tool', name: 'go_to', input: {}, atMs: 1 },
        { status: 'failed', error: { code: 'BUSY' } },
      ),
    ).toEqual([]);
    expect(
      withReply(called, { actionId: 'a', kind: 'tool', name: 'go_to', input: {}, atMs: 1 }, { status: 'done', meta: meta('a') }),
    ).toMatchObject([{ status: 'done', finishedAtMs: 2 }]);
  });
  test('others’ actions come from the state, and end as it says; one that nobody saw end is not told to be done', () => {
    const isOwn = () => false;
    const begun = withState([], stateWith({ active_action: active('x') }), isOwn, noPoses);
    expect(begun).toMatchObject([{ actionId: 'x', status: 'running' }]);
    const ended = withState(
      begun,
      stateWith({ last_action: { ...meta('x'), kind: 'tool', name: 'set_velocity', status: 'failed' } }),
      isOwn,
      noPoses,
    );
    expect(ended).toMatchObject([{ actionId: 'x', status: 'failed' }]);
    expect(withState(begun, stateWith({ active_action: active('y') }), isOwn, noPoses)).toMatchObject([{ actionId: 'y' }]);
  });
});

describe('the poses that the arms follow', () => {
  const session = { ...active('of-the-robot'), name: 'set_upper_body', started_at_ms: 100, phase: 'following poses' };
  const following = (sendsPosesOf: (startedAtMs: number) => boolean, before: Parameters<typeof withState>[0] = []) =>
    withState(before, stateWith({ active_action: session }), () => false, sendsPosesOf);

  test('are this page’s while it sends them, in one entry, whatever id the robot gives it', () => {
    const [mine, ...others] = following((startedAtMs) => startedAtMs <= 100);
    expect(mine).toMatchObject({ name: 'set_upper_body', status: 'running', caller: { kind: 'page' } });
    expect(others).toEqual([]);
  });
  test('are somebody else’s otherwise, and this page’s from its next pose on', () => {
    const theirs = following(() => false);
    expect(theirs).toMatchObject([{ caller: { kind: 'robot' } }]);
    expect(following(() => true, theirs)).toMatchObject([{ caller: { kind: 'page' } }]);
  });
  test('are no longer told to be followed when the robot does something else', () => {
    const mine = following(() => true);
    expect(
      withState(
        mine,
        stateWith({ active_action: active('y') }),
        () => false,
        () => true,
      ),
    ).toMatchObject([{ actionId: 'y' }]);
  });
});

describe('whose a call was', () => {
  const reply = (superseder: object) => ({
    status: 'failed',
    error: { code: 'CANCELLED', details: { superseder, superseded_by: 'drive/s1/2' } },
  });
  const handOf = (id: unknown) => (id === 'drive/s1/2' ? hand(2) : null);
  test.each([
    ['a participant', { kind: 'participant', identity: 'operator-1' }],
    ['a signer', { kind: 'holder', holder: 'operator-1', carrier: 'operator-1' }],
  ])('this page’s own, as %s, is this page’s', (_as, caller) => {
    expect(asOwn(reply(caller), 'operator-1', handOf)).toMatchObject({
      error: { details: { superseder: { kind: 'page', hand: hand(2) } } },
    });
  });
  test('anybody else’s stays theirs, whatever they call themselves', () => {
    const others = { kind: 'holder', holder: 'operator-1', carrier: 'operator-2' };
    expect(asOwn(reply(others), 'operator-1', handOf)).toMatchObject({ error: { details: { superseder: others } } });
  });
});
