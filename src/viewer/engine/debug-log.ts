import type { EngineDeps } from './engine-deps.ts';
import type { Engine, ViewerState } from './types.ts';

/** Events that occur many times a second and that the page shows anyway. */
const NOT_LOGGED: ReadonlySet<string> = new Set(['frame', 'state', 'progress', 'action', 'layout', 'capture']);

/** Logs an event by its name and facts. It never receives a key, a token, or the contents of a call. */
export type DebugLog = (what: string, facts?: Readonly<Record<string, unknown>>) => void;

/**
 * Returns dependencies that log the engine's activity: updates of the simulation, calls from the room, cameras, and faults that
 * the page otherwise survives silently.
 */
export function withDebugLog(deps: EngineDeps, log: DebugLog): EngineDeps {
  return {
    ...deps,
    startSimulation: (options, onEvent) =>
      deps.startSimulation(options, (event) => {
        if (!NOT_LOGGED.has(event.kind)) log(`simulation: ${event.kind}`, factsOf(event));
        onEvent(event);
      }),
    async createCameras(options) {
      const cameras = await logged(log, 'cameras: load', () => deps.createCameras(options));
      return {
        ...cameras,
        warmUp: () => logged(log, 'cameras: warm up', () => cameras.warmUp()),
        setLayout: (layout) => logged(log, 'cameras: another place', () => cameras.setLayout(layout)),
        capture: (input) => logged(log, `cameras: ${input.camera}`, () => cameras.capture(input)),
      };
    },
    async createRoom(events) {
      const room = await logged(log, 'room: load', () =>
        deps.createRoom({
          ...events,
          onCall: (call) => loggedCall(log, call.method, call.callerIdentity, () => events.onCall(call)),
        }),
      );
      return { ...room, sendJpeg: (picture) => logged(log, 'room: send a picture', () => room.sendJpeg(picture)) };
    },
  };
}

/** Returns the same engine with a log of its phases and of the page's own calls. */
export function loggedEngine(engine: Engine, log: DebugLog): Engine {
  const report = (state: ViewerState, before: ViewerState): void => {
    if (state.phase !== before.phase) log(`page: ${state.phase}`);
    if (state.connection !== before.connection) log(`room: ${state.connection.kind}`, factsOf(state.connection));
    for (const { id, done, problem } of state.loading) {
      const then = before.loading.find((part) => part.id === id);
      if (problem !== undefined && problem !== then?.problem) log(`loading: ${id} failed`, { problem });
      else if (done && !then?.done) log(`loading: ${id} is there`);
    }
  };
  engine.store.subscribe(report);
  log(`page: ${engine.store.getState().phase}`);
  return {
    ...engine,
    call: async (method, payload, mark) => {
      const startedMs = performance.now();
      try {
        const reply = await engine.call(method, payload, mark);
        log(`call: ${method}`, { by: 'the page', ...outcomeOf(reply), ms: sinceMs(startedMs) });
        return reply;
      } catch (error) {
        log(`call: ${method} failed`, { by: 'the page', error: textOf(error), ms: sinceMs(startedMs) });
        throw error;
      }
    },
  };
}

/** Returns a log that writes lines to the browser's console, each with the seconds since the page began. */
export function consoleLog(): DebugLog {
  // biome-ignore lint/suspicious/noConsole: a person has asked for it by the address
  return (what, facts = {}) => console.debug(`[simplesim ${(performance.now() / 1_000).toFixed(3)} s] ${what}`, facts);
}

async function loggedCall(log: DebugLog, method: string, by: string, run: () => Promise<string>): Promise<string> {
  const startedMs = performance.now();
  const text = await run();
  log(`call: ${method}`, { by, ...outcomeOf(JSON.parse(text)), characters: text.length, ms: sinceMs(startedMs) });
  return text;
}

async function logged<T>(log: DebugLog, what: string, run: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    const value = await run();
    log(what, { ms: sinceMs(startedMs) });
    return value;
  } catch (error) {
    log(`${what}: failed`, { error: textOf(error), ms: sinceMs(startedMs) });
    throw error;
  }
}

/** Returns the numbers, flags and short strings of an object. Larger values would reveal more than a log should. */
function factsOf(value: object): Record<string, unknown> {
  const isFact = (fact: unknown) => typeof fact === 'number' || typeof fact === 'boolean' || typeof fact === 'string';
  return Object.fromEntries(Object.entries(value).filter(([name, fact]) => name !== 'kind' && isFact(fact)));
}

function outcomeOf(reply: unknown): Record<string, unknown> {
  const { status, error } = (reply ?? {}) as { status?: unknown; error?: { code?: unknown } };
  return { ...(typeof status === 'string' ? { status } : {}), ...(error?.code === undefined ? {} : { code: error.code }) };
}

const textOf = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));
const sinceMs = (startedMs: number): number => Math.round(performance.now() - startedMs);
