import { describe, expect, it } from 'vitest';
import { actionResultSchema } from '../../src/protocol/action.ts';
import type { AcceptedAction, StoredAction } from '../../src/runtime/action-record.ts';
import { createResultStore } from '../../src/viewer/engine/result-store.ts';
import { storedAction } from './engine-fixture.ts';

const MINUTE_MS = 60_000;

function fakeStorage(maxChars = Number.POSITIVE_INFINITY) {
  const items = new Map<string, string>();
  const size = (): number => [...items].reduce((sum, [item, value]) => sum + item.length + value.length, 0);
  return {
    items,
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (item: string) => items.get(item) ?? null,
    setItem(item: string, value: string) {
      if (size() + item.length + value.length > maxChars) throw new DOMException('full', 'QuotaExceededError');
      items.set(item, value);
    },
    removeItem: (item: string) => void items.delete(item),
  };
}

function accepted(id: string, startedAtMs: number): AcceptedAction {
  const { status: _status, result: _result, ...rest } = storedAction(id, 0);
  return { ...rest, name: 'go_to', startedAtMs };
}

const ids = (stored: StoredAction[]): string[] => stored.map(({ actionId }) => actionId);

describe('results across a reload', () => {
  it('P5: brings every result back in its order, and goes on counting', () => {
    const storage = fakeStorage();
    const before = createResultStore(storage, 'room-1', () => 0);
    for (let index = 0; index < 12; index += 1) before.add(storedAction(`a${index}`, index));
    const after = createResultStore(storage, 'room-1', () => 0);
    expect(after.load()).toHaveLength(12);
    after.add(storedAction('a12', 12));
    expect(ids(createResultStore(storage, 'room-1', () => 0).load())).toEqual(
      Array.from({ length: 13 }, (_, index) => `a${index}`),
    );
  });

  it('P5: keeps 256 results however old, and all of the last ten minutes', () => {
    const storage = fakeStorage();
    let nowMs = 0;
    const store = createResultStore(storage, 'room-1', () => nowMs);
    for (let index = 0; index < 300; index += 1) store.add(storedAction(`old${index}`, nowMs));
    expect(store.load()).toHaveLength(300);
    nowMs = 11 * MINUTE_MS;
    for (let index = 0; index < 50; index += 1) store.add(storedAction(`new${index}`, nowMs));
    const kept = ids(store.load());
    expect(kept).toHaveLength(256);
    expect(kept.at(-1)).toBe('new49');
    expect(kept[0]).toBe('old94');
  });

  it('drops results of another room, and what it cannot read', () => {
    const storage = fakeStorage();
    createResultStore(storage, 'room-1', () => 0).add(storedAction('a', 0));
    storage.setItem('simplesim.results/room-2/0', '{"actionId":');
    storage.setItem('simplesim.key', 'kept');
    expect(createResultStore(storage, 'room-2', () => 0).load()).toEqual([]);
    expect([...storage.items.keys()]).toEqual(['simplesim.key']);
  });

  it('gives up the oldest results when the storage is full', () => {
    const storage = fakeStorage(2_000);
    const store = createResultStore(storage, 'room-1', () => 0);
    for (let index = 0; index < 50; index += 1) store.add(storedAction(`a${index}`, 0));
    const kept = ids(store.load());
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.at(-1)).toBe('a49');
  });

  it('P5 P6: an action that was accepted and never ended is the failure of an interrupted one, the same after every reload', () => {
    const storage = fakeStorage();
    let nowMs = 5_000;
    const before = createResultStore(storage, 'room-1', () => nowMs);
    before.accept(accepted('ended', 1_000));
    before.add(storedAction('ended', 2_000));
    before.accept(accepted('walk', 3_000));
    const [first, second] = createResultStore(storage, 'room-1', () => nowMs).load();
    expect(first).toEqual(storedAction('ended', 2_000));
    expect(second).toMatchObject({
      actionId: 'walk',
      status: 'failed',
      parametersKey: accepted('walk', 0).parametersKey,
      result: {
        status: 'failed',
        error: { code: 'RUNTIME_SUSPENDED', details: { attempted: true, world_changed: 'unknown', retryable: true } },
        meta: { action_id: 'walk', started_at_ms: 3_000, finished_at_ms: 5_000, duration_ms: 2_000 },
      },
    });
    expect(actionResultSchema.parse(second?.result)).toEqual(second?.result);
    expect(second?.result.error?.message).toMatch(/reloaded .* while go_to ran.* new action_id/);
    nowMs = 9_000;
    expect(createResultStore(storage, 'room-1', () => nowMs).load()).toEqual([first, second]);
  });

  it('P5: an end that was written while its start was not yet gone counts as the end', () => {
    const storage = fakeStorage();
    const store = createResultStore(storage, 'room-1', () => 0);
    store.add(storedAction('a', 1));
    store.accept(accepted('a', 0));
    expect(createResultStore(storage, 'room-1', () => 9).load()).toEqual([storedAction('a', 1)]);
    expect([...storage.items.keys()].filter((item) => item.includes('running'))).toEqual([]);
  });

  it('an interrupted picture has changed nothing', () => {
    const storage = fakeStorage();
    createResultStore(storage, 'room-1', () => 0).accept({ ...accepted('p', 0), kind: 'capture', name: 'cameras_capture' });
    expect(createResultStore(storage, 'room-1', () => 1).load()[0]?.result.error?.details).toMatchObject({
      attempted: false,
      world_changed: 'no',
    });
  });
});
