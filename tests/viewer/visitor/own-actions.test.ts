import { describe, expect, test } from 'vitest';
import type { RuntimeState } from '../../../src/protocol/wire/state.ts';
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
  test('the commands of one stroke are one entry, also if a state is older than their replies', () => {
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
  test('a rejected command is not an action; a completed or cancelled one is', () => {
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
  test('actions of others come and end with the state, and an action whose end was not seen is not shown as done', () => {
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

  test('streamed poses are this page’s while it sends them, in one entry, whatever id the robot gives them', () => {
    const [mine, ...others] = following((startedAtMs) => startedAtMs <= 100);
    expect(mine).toMatchObject({ name: 'set_upper_body', status: 'running', caller: { kind: 'page' } });
    expect(others).toEqual([]);
  });
  test('streamed poses are otherwise those of another participant, and this page’s from its next pose', () => {
    const theirs = following(() => false);
    expect(theirs).toMatchObject([{ caller: { kind: 'robot' } }]);
    expect(following(() => true, theirs)).toMatchObject([{ caller: { kind: 'page' } }]);
  });
  test('streamed poses are not shown as followed while the robot does something else', () => {
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

describe('the caller of a call', () => {
  const reply = (superseder: object) => ({
    status: 'failed',
    error: { code: 'CANCELLED', details: { superseder, superseded_by: 'drive/s1/2' } },
  });
  const handOf = (id: unknown) => (id === 'drive/s1/2' ? hand(2) : null);
  test.each([
    ['a participant', { kind: 'participant', identity: 'operator-1' }],
    ['a signer', { kind: 'holder', holder: 'operator-1', carrier: 'operator-1' }],
  ])('a call of this page as %s belongs to this page', (_as, caller) => {
    expect(asOwn(reply(caller), 'operator-1', handOf)).toMatchObject({
      error: { details: { superseder: { kind: 'page', hand: hand(2) } } },
    });
  });
  test('a call of another participant stays theirs, whatever their name', () => {
    const others = { kind: 'holder', holder: 'operator-1', carrier: 'operator-2' };
    expect(asOwn(reply(others), 'operator-1', handOf)).toMatchObject({ error: { details: { superseder: others } } });
  });
});
