import { unsignedCaller } from '../../src/protocol/caller.ts';
import { actionOfCall } from '../../src/runtime/interrupted.ts';
import { createResultStore } from '../../src/viewer/engine/result-store.ts';
import { createTestRuntime, type PendingCall, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';

/**
 * A tab around a runtime: its storage, a page that hears of what the runtime tells in the order it was told, sometimes late, and reloads that
 * lose whatever was not heard.
 */

export interface TabCall {
  id: string;
  payload: string;
  client: string;
  /** The client's reply; null when it has none, or when it was lost with the page. */
  heard: Reply | null;
  lost: boolean;
  /** How often the runtime has answered it so far. */
  answers(): number;
}

export interface Tab {
  runtime(): TestRuntime;
  call(id: string, payload: Record<string, unknown>, client: string): TabCall;
  /** The page hears of everything the runtime has told so far. */
  hear(): void;
  /** The page goes away without having heard the rest, and comes back with a fresh runtime. */
  reload(): Promise<void>;
  /** Ids in the order in which any of the runtimes accepted them. */
  acceptedIds(): string[];
}

function createStorage() {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index: number) => [...items.keys()][index] ?? null,
    getItem: (item: string) => items.get(item) ?? null,
    setItem: (item: string, value: string) => void items.set(item, value),
    removeItem: (item: string) => void items.delete(item),
  };
}

export async function openTab(seed: number): Promise<Tab> {
  const storage = createStorage();
  let t = await createTestRuntime({ seed });
  let store = createResultStore(storage, 'room', () => t.nowMs);
  store.load();
  let open: { call: TabCall; pending: PendingCall }[] = [];
  let heardAccepted = 0;
  let heardEnded = 0;
  const before: string[] = [];

  return {
    runtime: () => t,
    call(id, payload, client) {
      const text = JSON.stringify(payload);
      const pending = t.sendText('runtime.tools_call', text, client);
      const call: TabCall = { id, payload: text, client, heard: null, lost: false, answers: () => pending.replies };
      open.push({ call, pending });
      return call;
    },
    hear() {
      for (const accepted of t.accepted.slice(heardAccepted)) store.accept(accepted);
      for (const ended of t.ended.slice(heardEnded)) store.add(ended);
      heardAccepted = t.accepted.length;
      heardEnded = t.ended.length;
      for (const { call, pending } of open) call.heard ??= pending.reply;
      open = open.filter(({ call }) => call.heard === null);
    },
    async reload() {
      for (const { call } of open) {
        call.lost = true;
        const action = actionOfCall(call.payload, unsignedCaller(call.client), t.nowMs);
        if (action) store.accept(action);
      }
      open = [];
      before.push(...t.accepted.map(({ actionId }) => actionId));
      const nowMs = t.nowMs + 5_000;
      store = createResultStore(storage, 'room', () => nowMs);
      t.runtime.dispose();
      t = await createTestRuntime({ seed, storedResults: store.load() });
      t.nowMs = nowMs;
      heardAccepted = 0;
      heardEnded = 0;
    },
    acceptedIds: () => [...before, ...t.accepted.map(({ actionId }) => actionId)],
  };
}
