import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type ActionEvent, type ActionResult, RcwRuntimeError } from '../../src/client/index.ts';
import { actionIdOf, doneReply, type FakeCall, FakeRoom, failedReply, guardReply } from './helpers/fake-room.ts';
import { fakeSession } from './helpers/fake-session.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const target = { kind: 'entity', entity_id: 'pad_B' } as const;

/** A walk of this many steps, one for each request for its state; the call is answered after the last one. */
function walkingRoom(steps: number, { keepsRecord = true } = {}) {
  let end: (reply: unknown) => void = () => {};
  let asked = 0;
  let actionId = '';
  const room = new FakeRoom((call: FakeCall) => {
    if (call.method === 'runtime.tools_call') {
      actionId = actionIdOf(call);
      return new Promise((resolve) => {
        end = resolve;
      });
    }
    if (call.method === 'runtime.cancel') {
      end(failedReply(actionId, 'CANCELLED'));
      return { reply: failedReply(actionId, 'CANCELLED') };
    }
    if (call.method === 'runtime.action' && !keepsRecord) return { failure: 'unsupported' };
    asked += 1;
    if (asked > steps) {
      end(doneReply(actionId, { path_m: steps }));
      return 'silence';
    }
    const activity = asked <= 2 ? 'planning' : 'walking';
    const progress = asked <= 2 ? {} : { progress: { current: asked, total: steps, unit: 'm' } };
    const active_action = {
      action_id: actionId,
      kind: 'tool',
      name: 'go_to',
      started_at_ms: 1_000,
      phase: activity,
      ...progress,
    };
    return { reply: call.method === 'runtime.state' ? { runtime: { active_action } } : { status: 'running', active_action } };
  });
  return room;
}

const summary = (event: ActionEvent): string =>
  event.phase === 'running' ? `${event.activity} ${event.progress?.current ?? ''}`.trim() : event.phase;

describe('events of an action', () => {
  it.each([
    ['a runtime that keeps a record', true],
    ['a runtime that keeps none, by its state', false],
  ])('reports the events of an action from %s: accepted, running when something changed, one end', async (_, keepsRecord) => {
    const all: ActionEvent[] = [];
    const own: ActionEvent[] = [];
    const ends: ActionResult[] = [];
    const callbacks = {
      onActionEvent: (e: ActionEvent) => void all.push(e),
      onActionResult: (e: ActionResult) => void ends.push(e),
    };
    const { session } = await fakeSession(walkingRoom(4, { keepsRecord }), { callbacks });
    const invoked = session.invoke('go_to', { target }, { actionId: 'mine', onEvent: (event) => void own.push(event) });
    await vi.runAllTimersAsync();
    const result = await invoked;
    expect(own.map(summary)).toEqual(['accepted', 'planning', 'walking 3', 'walking 4', 'done']);
    expect(all).toEqual(own);
    expect(own.every(({ action_id }) => action_id === 'mine')).toBe(true);
    expect(own[0]).toEqual({ action_id: 'mine', phase: 'accepted', at_ms: 1_000 });
    expect(own.at(-1)).toMatchObject({ phase: 'done', result });
    expect(ends).toEqual([result]);
    expect(ends[0]).toBe(result);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not request events without a listener', async () => {
    const room = walkingRoom(0);
    const { session } = await fakeSession(room);
    const invoked = session.invoke('go_to', { target });
    await vi.advanceTimersByTimeAsync(4_900);
    expect(room.of('runtime.action')).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(200);
    expect(await invoked).toMatchObject({ status: 'done' });
  });

  it('reports accepted and the end for an action that ends at once', async () => {
    const room = new FakeRoom((call) => ({ reply: doneReply(actionIdOf(call)) }));
    const { session } = await fakeSession(room);
    const events: string[] = [];
    await session.invoke('cancel', {}, { onEvent: (event) => void events.push(event.phase) });
    expect(events).toEqual(['accepted', 'done']);
  });
});

describe('start', () => {
  it('start returns the events as an async iterable, for several readers, and the result', async () => {
    const { session } = await fakeSession(walkingRoom(4));
    const walk = session.start('go_to', { target });
    const read = async () => {
      const seen: string[] = [];
      for await (const event of walk) seen.push(summary(event));
      return seen;
    };
    const readers = [read(), read()];
    await vi.runAllTimersAsync();
    for (const reader of readers) expect(await reader).toEqual(['accepted', 'planning', 'walking 3', 'walking 4', 'done']);
    expect(await walk.result).toMatchObject({ status: 'done', result: { path_m: 4 }, meta: { action_id: walk.actionId } });
    expect(await read()).toEqual(['done']);
  });

  it('start can be cancelled half way, and leaving the loop leaves the action running', async () => {
    const room = walkingRoom(1_000);
    const { session } = await fakeSession(room);
    const walk = session.start('go_to', { target });
    const moving = (async () => {
      for await (const event of walk) if (event.phase === 'running' && event.progress) return event.progress.current;
      return null;
    })();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await moving).toBe(3);
    const [cancelled, again] = await Promise.all([walk.cancel(), walk.cancel()]);
    expect(cancelled).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(again).toBe(cancelled);
    expect(room.of('runtime.cancel')).toHaveLength(1);
    expect(await walk.result).toEqual(cancelled);
  });

  it('cancelling an action that has already ended returns its end', async () => {
    const room = new FakeRoom((call) => ({
      reply: call.method === 'runtime.cancel' ? guardReply('ACTION_NOT_FOUND') : doneReply('mine', { path_m: 1 }),
    }));
    const { session } = await fakeSession(room);
    const walk = session.start('go_to', { target }, { actionId: 'mine' });
    expect(await walk.cancel()).toMatchObject({ status: 'done', result: { path_m: 1 } });
  });

  it('start of a call that became no action rejects, in the loop too, and without an awaiting caller', async () => {
    const { session } = await fakeSession(new FakeRoom(() => ({ reply: guardReply('BUSY') })));
    const walk = session.start('go_to', { target });
    await expect(walk.result).rejects.toBeInstanceOf(RcwRuntimeError);
    await expect(walk[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'BUSY' });
    session.start('go_to', { target });
    await vi.runAllTimersAsync();
  });
});

describe('getAction', () => {
  it('getAction reports the end, a running action, or an unknown id', async () => {
    const replies = [doneReply('a', { speed: 1 }), { status: 'running', active_action: {} }, guardReply('ACTION_NOT_FOUND')];
    const { session } = await fakeSession(new FakeRoom((_, index) => ({ reply: replies[index] })));
    expect(await session.getAction('a')).toMatchObject({ status: 'done', result: { speed: 1 } });
    expect(await session.getAction('a')).toBeNull();
    await expect(session.getAction('a')).rejects.toMatchObject({ code: 'ACTION_NOT_FOUND' });
  });

  it.each([[null], [true], [7], ['x'], [[]]])('getAction does not mistake %j for a running action', async (reply) => {
    const { session } = await fakeSession(new FakeRoom(() => ({ reply })));
    await expect(session.getAction('a')).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('runtime.action'),
    });
  });
});
