import { describe, expect, it } from 'vitest';
import type { StoredAction } from '../../src/runtime/action-record.ts';
import { createResultStore } from '../../src/viewer/engine/result-store.ts';

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

function action(id: string, finishedAtMs: number): StoredAction {
  return {
    actionId: id,
    kind: 'tool',
    name: 'set_head',
    input: { yaw: 0.1 },
    caller: 'client',
    parametersKey: 'set_head{"yaw":0.1}',
    status: 'done',
    result: {
      status: 'done',
      meta: { action_id: id, started_at_ms: finishedAtMs, finished_at_ms: finishedAtMs, duration_ms: 0 },
    },
  };
}

const ids = (stored: StoredAction[]): string[] => stored.map(({ actionId }) => actionId);

describe('results across a reload', () => {
  it('P5: brings every result back in its order, and goes on counting', () => {
    const storage = fakeStorage();
    const before = createResultStore(storage, 'room-1', () => 0);
    for (let index = 0; index < 12; index += 1) before.add(action(`a${index}`, index));
    const after = createResultStore(storage, 'room-1', () => 0);
    expect(after.load()).toHaveLength(12);
    after.add(action('a12', 12));
    expect(ids(createResultStore(storage, 'room-1', () => 0).load())).toEqual(
      Array.from({ length: 13 }, (_, index) => `a${index}`),
    );
  });

  it('P5: keeps 256 results however old, and all of the last ten minutes', () => {
    const storage = fakeStorage();
    let nowMs = 0;
    const store = createResultStore(storage, 'room-1', () => nowMs);
    for (let index = 0; index < 300; index += 1) store.add(action(`old${index}`, nowMs));
    expect(store.load()).toHaveLength(300);
    nowMs = 11 * MINUTE_MS;
    for (let index = 0; index < 50; index += 1) store.add(action(`new${index}`, nowMs));
    const kept = ids(store.load());
    expect(kept).toHaveLength(256);
    expect(kept.at(-1)).toBe('new49');
    expect(kept[0]).toBe('old94');
  });

  it('drops results of another room, and what it cannot read', () => {
    const storage = fakeStorage();
    createResultStore(storage, 'room-1', () => 0).add(action('a', 0));
    storage.setItem('simplesim.results/room-2/0', '{"actionId":');
    storage.setItem('simplesim.key', 'kept');
    expect(createResultStore(storage, 'room-2', () => 0).load()).toEqual([]);
    expect([...storage.items.keys()]).toEqual(['simplesim.key']);
  });

  it('gives up the oldest results when the storage is full', () => {
    const storage = fakeStorage(2_000);
    const store = createResultStore(storage, 'room-1', () => 0);
    for (let index = 0; index < 50; index += 1) store.add(action(`a${index}`, 0));
    const kept = ids(store.load());
    expect(kept.length).toBeGreaterThan(2);
    expect(kept.at(-1)).toBe('a49');
  });
});
