import { createKeeper } from '../../src/viewer/engine/kept/keeper.ts';
import { createTestRuntime, type PendingCall, type Reply, type TestRuntime } from '../runtime/test-runtime.ts';
import { createFakeWorlds } from '../viewer/fake-worlds.ts';

/**
 * A tab around a runtime: a browser that keeps its actions, a page that receives the runtime's answers late, and reloads that
 * lose everything not received.
 */

export interface TabCall {
  id: string;
  payload: string;
  client: string;
  /** The client's reply; null if it has none, or if it was lost with the page. */
  heard: Reply | null;
  lost: boolean;
  /** How often the runtime has answered it so far. */
  answers(): number;
}

export interface Tab {
  runtime(): TestRuntime;
  call(id: string, payload: Record<string, unknown>, client: string): TabCall;
  /** Delivers to the page everything that the runtime has sent so far. */
  hear(): void;
  /**
   * The page closes without the rest of the updates, and comes back with a new runtime, as does a new tab of the same browser.
   */
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
      report: () => {},
      after: () => new Promise(() => {}),
    });
    await keeper.follow({ place: PLACE, isMine: true, isFresh: false, wasThere: false, goneAtMs: null, forget: [] });
    await settle();
    let [accepted, ended] = [0, 0];
    return {
      t,
      /** Keeps the runtime's updates since the last time; an action is accepted before it ends. */
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
