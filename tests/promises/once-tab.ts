import { createKeeper } from '../../src/viewer/engine/kept/keeper.ts';
import { createTestRuntime, type PendingCall, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';
import { createFakeWorlds } from '../viewer/fake-worlds.ts';

/**
 * A tab around a runtime: a browser that keeps its actions, a page that hears late of what the runtime answers, and reloads that
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
  /** The page goes away without having heard the rest, and comes back with a fresh runtime, as does a new tab of the same browser. */
  reload(): Promise<void>;
  /** Ids in the order in which any of the runtimes accepted them. */
  acceptedIds(): string[];
}

const PLACE = 'ws://sfu room/robot';
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export async function openTab(seed: number): Promise<Tab> {
  const browser = createFakeWorlds();
  let pages = 0;
  let open: { call: TabCall; pending: PendingCall }[] = [];
  const before: string[] = [];

  async function load(nowMs: number | null): Promise<{ t: TestRuntime; keep(): void }> {
    pages += 1;
    const t = await createTestRuntime({ seed });
    if (nowMs !== null) t.nowMs = nowMs;
    const keeper = createKeeper({
      store: browser,
      owner: `page ${pages}`,
      runtime: t.runtime,
      nowMs: () => t.nowMs,
      tell: () => {},
      after: () => new Promise(() => {}),
    });
    await keeper.follow({ place: PLACE, isMine: true, isFresh: false, wasThere: false, goneAtMs: null, forget: [] });
    await settle();
    let [accepted, ended] = [0, 0];
    return {
      t,
      /** Keeps what the runtime has told since; an action is accepted before it ends. */
      keep() {
        for (const action of t.accepted.slice(accepted)) keeper.note(action);
        for (const action of t.ended.slice(ended)) keeper.note(action);
        [accepted, ended] = [t.accepted.length, t.ended.length];
      },
    };
  }

  let page = await load(null);
  return {
    runtime: () => page.t,
    call(id, payload, client) {
      const text = JSON.stringify(payload);
      const pending = page.t.sendText('runtime.tools_call', text, client);
      const call: TabCall = { id, payload: text, client, heard: null, lost: false, answers: () => pending.replies };
      open.push({ call, pending });
      page.keep();
      return call;
    },
    hear() {
      page.keep();
      for (const { call, pending } of open) call.heard ??= pending.reply;
      open = open.filter(({ call }) => call.heard === null);
    },
    async reload() {
      for (const { call } of open) call.lost = true;
      open = [];
      page.keep();
      await settle();
      const { t } = page;
      before.push(...t.accepted.map(({ actionId }) => actionId));
      t.runtime.dispose();
      page = await load(t.nowMs + 5_000);
    },
    acceptedIds: () => [...before, ...page.t.accepted.map(({ actionId }) => actionId)],
  };
}
