/** An engine that stands still: it shows a given state, answers reads as a real runtime did, and records every call. */
import type { StoreApi } from 'zustand/vanilla';
import { readRoomKey } from '../../src/protocol/room/room-key.ts';
import { STEPS_PER_SECOND } from '../../src/protocol/wire/limits.ts';
import type { MethodName } from '../../src/protocol/wire/methods.ts';
import { EMPTY_OVERLAY } from '../../src/protocol/wire/render-state.ts';
import type { RuntimeState } from '../../src/protocol/wire/state.ts';
import { statusText } from '../../src/viewer/engine/status-text.ts';
import { createViewerStore } from '../../src/viewer/engine/store.ts';
import type { Engine, TaskDesk, ViewerState } from '../../src/viewer/engine/types.ts';
import { stillEngine } from '../ui/examples.ts';
import { EXAMPLE_KEY } from './example-key.ts';
import type { Recording } from './recorded.ts';

/** One call of the interface to the engine, with its arguments as JSON values. */
export interface HeardCall {
  name: string;
  args: unknown[];
}

/** The test's control over the engine of a still page. */
export interface Still {
  /** Changes the state, and its texts as an engine derives them. */
  set(change: Partial<ViewerState>): void;
  /** Sets the reply to later calls of a method. Calls of a method without a reply wait. */
  answer(method: MethodName, reply: unknown): void;
  /** All calls so far, oldest first. */
  readonly calls: readonly HeardCall[];
}

const read = readRoomKey(EXAMPLE_KEY, { nowMs: Date.now(), pageProtocol: 'http:' });
/** The key of a page that is in a room. */
const EXAMPLE = read.ok ? { key: read.key, text: EXAMPLE_KEY } : null;
/** The interval at which an engine shows the state of its robot. */
const REPORT_EVERY_MS = 100;
/** Methods of an engine that request an action and return nothing. */
const ORDERS = ['connect', 'tryHere', 'stop', 'emergencyStop', 'disconnect', 'retry'] as const;

/** Returns a state with the engine's texts for it; a visit whose robot reports nothing gets the texts of its stream. */
const spanText = (state: ViewerState): ViewerState =>
  state.visit !== null && state.runtime === null ? state : { ...state, statusText: statusText(state) };

/** Creates an engine that shows a state. @param recording the world that contains it */
export function createStill(state: Partial<ViewerState>, recording: Recording): { engine: Engine; still: Still } {
  const store: StoreApi<ViewerState> = createViewerStore();
  store.setState((initial) => spanText({ ...initial, ...state }));
  setInterval(() => store.setState(({ runtime }) => (runtime === null ? {} : { runtime: later(runtime) })), REPORT_EVERY_MS);
  const calls: HeardCall[] = [];
  const answers = new Map<string, unknown>(Object.entries(recording.answers));
  const note = (name: string, args: unknown[]): void => void calls.push({ name, args: JSON.parse(JSON.stringify(args)) });
  const orders = Object.fromEntries(ORDERS.map((name) => [name, (...args: unknown[]) => note(name, args)])) as Pick<
    Engine,
    (typeof ORDERS)[number]
  >;
  const waits = () => new Promise<never>(() => undefined);
  const tasks: TaskDesk = {
    play(task, seed) {
      note('tasks.play', [task, seed]);
      return null;
    },
    async playFile(text) {
      note('tasks.playFile', [text]);
      return [];
    },
    proof: waits,
  };
  const engine: Engine = {
    ...stillEngine({}),
    ...orders,
    store,
    tasks,
    frames: { latest: () => recording.frame, overlay: () => EMPTY_OVERLAY },
    layout: () => recording.place,
    async openScene(text) {
      note('openScene', [text]);
      return waits();
    },
    heldKey() {
      const { connection, local, visit } = store.getState();
      return connection.kind === 'idle' || local || visit !== null ? null : EXAMPLE;
    },
    capture: (_camera, widthPx, heightPx) => greyPicture(widthPx, heightPx),
    async call(method, payload) {
      note('call', [method, payload]);
      if (method === 'runtime.state') return store.getState().runtime;
      return answers.has(method) ? answers.get(method) : waits();
    },
  };
  return {
    engine,
    still: {
      set: (change) => store.setState((before) => spanText({ ...before, ...change })),
      answer: (method, reply) => void answers.set(method, reply),
      calls,
    },
  };
}

/** Returns the state of the robot one display interval later: the robot stands, and time passes. */
const later = (runtime: RuntimeState): RuntimeState => ({
  ...runtime,
  timestamp: {
    step: runtime.timestamp.step + (STEPS_PER_SECOND * REPORT_EVERY_MS) / 1_000,
    sim_time_s: runtime.timestamp.sim_time_s + REPORT_EVERY_MS / 1_000,
    wall_time_ms: runtime.timestamp.wall_time_ms + REPORT_EVERY_MS,
  },
});

/** Returns a camera picture that is uniformly grey. */
async function greyPicture(widthPx: number, heightPx: number): Promise<Blob> {
  const canvas = new OffscreenCanvas(widthPx, heightPx);
  const context = canvas.getContext('2d');
  if (context) context.fillStyle = '#8a8f98';
  context?.fillRect(0, 0, widthPx, heightPx);
  return canvas.convertToBlob({ type: 'image/jpeg' });
}
