import { callerFields } from '../../protocol/wire/caller.ts';
import type { MethodName } from '../../protocol/wire/methods.ts';
import type { ActionView, Engine, ViewerState } from '../engine/types.ts';
import { mayAct } from '../ui/common/may-act.ts';
import { choosingView, type UiStore } from '../ui/common/ui-store.ts';
import type { ViewAccess } from '../ui/common/view-access.ts';
import { frameProblem, frameStatus, keyProblem } from './frame-texts.ts';
import { type HostMessage, idUnread, readHostMessage } from './messages.ts';
import type { EmbedSettings, Grant } from './settings.ts';
import type { FrameAction, FrameError, FrameMessage, FrameState } from './wire.ts';

/** The window around the frame, passed in so that the bridge can be tested without one. */
export interface HostPort {
  /** Posts to the host, if it still has that origin. */
  post(message: FrameMessage, origin: string, transfer?: Transferable[]): void;
  /**
   * Listens to messages posted to this page. @param listener `read` returns the message, and may take long; `fromHost` is false
   * for any window other than the surrounding one
   */
  listen(listener: (read: () => unknown, origin: string, fromHost: boolean) => void): () => void;
  /** Runs a task after a delay; returns a function that cancels it. */
  after(delayMs: number, task: () => void): () => void;
  /** Opens the frame again for a robot of its own, with these parameters in its address; null removes a parameter. */
  reopen(params: Readonly<Record<string, string | null>>): void;
  /** Resolves with whether there is a built-in task with this id. */
  knowsTask(id: string): Promise<boolean>;
  /** Writes a warning to the console of the frame. */
  warn(sentence: string): void;
  /** The actual origin of the surrounding page, if the browser reveals it. */
  ancestor: string | null;
}

interface BridgeParts {
  engine: Engine;
  ui: UiStore;
  view: ViewAccess;
  settings: EmbedSettings;
  host: HostPort;
}

const STATE_EVERY_MS = 200;
const OPEN_MAX = 32;
const WARNED_MAX = 8;
/** Reading changes nothing and needs no permission. */
const READS: ReadonlySet<MethodName> = new Set([
  'runtime.tools_list',
  'runtime.state',
  'runtime.scene_state',
  'runtime.scene_layout',
  'runtime.manifest',
  'runtime.capabilities',
  'runtime.action',
]);

/**
 * Lets the surrounding page observe the robot and use the permissions in the frame's address. It listens and replies only to the
 * surrounding window, from a listed origin. Unknown messages have no effect.
 * @returns a function that ends it
 */
export function openBridge({ engine, ui, view, settings, host }: BridgeParts): () => void {
  /** The origin that sent `hello`. Before that, no updates are sent. */
  let greeted: string | null = null;
  let open = 0;
  let cancelDue: (() => void) | null = null;
  /** Origins whose messages were reported as ignored. */
  const warned = new Set<string>();
  /** Rejects the key whose room is still being entered. */
  let giveUpKey: (() => void) | null = null;
  const send = (message: FrameMessage, transfer?: Transferable[]): void => {
    if (greeted !== null) host.post(message, greeted, transfer);
  };

  const stopListening = host.listen((readData, origin, fromHost) => {
    if (!fromHost) return;
    if (!settings.origins.includes(origin)) return warnOnce(origin);
    const data = readData();
    const refuse = (id: string, error: FrameError) => host.post({ simplesim: 1, type: 'reply', id, ok: false, error }, origin);
    // Reading a message takes longer than rejecting it, and a flood would block the page for all others.
    const unread = open >= OPEN_MAX ? idUnread(data) : null;
    if (unread !== null) return refuse(unread, TOO_MANY);
    const read = readHostMessage(data);
    if (read.kind === 'foreign') return;
    if (read.kind === 'wrong') return refuse(read.id, read.error);
    const { message } = read;
    if (message.type !== 'hello' && greeted !== origin) return refuse(message.id, NOT_GREETED);
    const forbidden = leaveMissing(message, settings) ?? onlyWatches(message, engine.store.getState());
    if (forbidden) return refuse(message.id, forbidden);
    if (message.type === 'hello') greeted = origin;
    open += 1;
    act(message)
      .then(({ value, transfer }) =>
        host.post({ simplesim: 1, type: 'reply', id: message.id, ok: true, value }, origin, transfer),
      )
      .catch((thrown: unknown) => refuse(message.id, thrown instanceof Refusal ? thrown.error : INTERNAL))
      .finally(() => {
        open -= 1;
        if (message.type === 'hello' && isLive(engine)) postReady();
      });
  });

  /** Reports once for each origin that its messages are ignored. Their data is not even unpacked. */
  function warnOnce(origin: string): void {
    if (warned.has(origin) || warned.size >= WARNED_MAX) return;
    warned.add(origin);
    const named = settings.origins.length === 0 ? 'no origin' : `only ${settings.origins.join(', ')}`;
    host.warn(
      `SimpleSim ignores the messages of ${origin}: the address of this frame names ${named}. Add origin=${encodeURIComponent(origin)} to it.`,
    );
  }

  async function act(message: HostMessage): Promise<{ value: unknown; transfer?: Transferable[] }> {
    switch (message.type) {
      case 'hello':
        return { value: { allow: [...settings.allow], try: settings.tryHere, state: stateOf(engine.store.getState()) } };
      case 'key':
        await enter(message.key);
        return { value: null };
      case 'call':
        return { value: await engine.call(message.method, message.payload) };
      case 'stop':
        engine.stop();
        return { value: null };
      case 'capture': {
        const { camera, width, height } = message;
        const blob = await engine.capture(camera, width, height).catch((error: unknown) => {
          throw new Refusal('CAPTURE_FAILED', error instanceof Error ? error.message : 'The picture could not be taken.');
        });
        const bytes = await blob.arrayBuffer();
        return { value: { camera, media_type: 'image/jpeg', bytes }, transfer: [bytes] };
      }
      case 'open':
        await openWorld(message);
        return { value: null };
      case 'get_view':
        return { value: viewNow() };
      case 'set_view': {
        const { view: kind, following, eye, target } = message;
        if (eye && target) view.asked = { eye, target };
        ui.setState((state) => ({
          ...(kind || eye ? choosingView(eye ? 'orbit' : (kind ?? 'orbit'))(state) : {}),
          // A view at a fixed position stays there unless the message asks it to follow.
          ...(following !== undefined || eye ? { following: following ?? false } : {}),
        }));
        view.wake?.();
        return { value: null };
      }
    }
  }

  /** Enters the room of a key. @throws Refusal with the reason if the frame cannot enter, or if another key replaces this one */
  function enter(key: string): Promise<void> {
    giveUpKey?.();
    return new Promise((resolve, reject) => {
      const settle = (problem: string | null): void => {
        stopLooking();
        giveUpKey = null;
        if (problem === null) resolve();
        else reject(new Refusal('KEY_REFUSED', problem));
      };
      const look = (state: ViewerState): void => {
        const problem = keyProblem(state);
        if (problem !== null || state.connection.kind === 'connected') settle(problem);
      };
      engine.connect(key);
      const stopLooking = engine.store.subscribe(look);
      giveUpKey = () => settle('A newer key has replaced this one.');
      look(engine.store.getState());
    });
  }

  /** Opens a new world. The reply is sent before the frame is replaced. */
  async function openWorld({ scene, robot, seed, task }: Extract<HostMessage, { type: 'open' }>): Promise<void> {
    if (task && !(await host.knowsTask(task)))
      throw new Refusal('INVALID_MESSAGE', `This message cannot be read: task must be the id of a task of the product.`);
    // A task determines its scene, so a scene alone ends the task.
    const params: Record<string, string | null> = scene === undefined ? {} : { task: null };
    for (const [name, value] of Object.entries({ scene, robot, seed, task }))
      if (value !== undefined) params[name] = value === null ? null : String(value);
    host.after(0, () => host.reopen(params));
  }

  function viewNow() {
    if (!view.shown)
      throw new Refusal('VIEW_UNAVAILABLE', view.cannotDraw ? NO_3D : 'The world is not drawn yet. Ask again later.');
    const { view: kind, following } = ui.getState();
    return { view: kind, following, eye: view.shown.eye, target: view.shown.target };
  }

  function postReady(): void {
    send({ simplesim: 1, type: 'ready', state: stateOf(engine.store.getState()) });
  }

  const unsubscribe = engine.store.subscribe((state, before) => {
    if (state.actions !== before.actions) postActions(state.actions, before.actions);
    if (state.phase !== before.phase && state.phase === 'live') postReady();
    cancelDue ??= host.after(STATE_EVERY_MS, () => {
      cancelDue = null;
      send({ simplesim: 1, type: 'state', state: stateOf(engine.store.getState()) });
    });
  });

  function postActions(actions: readonly ActionView[], before: readonly ActionView[]): void {
    const known = new Set(before);
    for (const action of actions.toReversed())
      if (!known.has(action)) send({ simplesim: 1, type: 'action', action: actionOf(action) });
  }

  const hearers = settings.origins.filter((origin) => host.ancestor === null || origin === host.ancestor);
  for (const origin of hearers) host.post({ simplesim: 1, type: 'loaded' }, origin);

  return () => {
    stopListening();
    unsubscribe();
    cancelDue?.();
  };
}

class Refusal extends Error {
  readonly error: FrameError;
  constructor(code: FrameError['code'], message: string) {
    super(message);
    this.error = { code, message };
  }
}

const NO_3D = 'This browser draws no 3D (WebGL 2 is off), so there is no view of the world. The robot works without it.';
const NOT_GREETED: FrameError = {
  code: 'NOT_GREETED',
  message: 'Send hello first: the frame answers no other message before it.',
};
const TOO_MANY: FrameError = {
  code: 'TOO_MANY',
  message: `${OPEN_MAX} messages wait for their answers. Wait for one of them, then send this again.`,
};
const INTERNAL: FrameError = {
  code: 'INTERNAL',
  message: 'Something inside the frame failed. Reload it.',
};

/** Returns a sentence on the permission that the frame's address lacks; null when it is granted. */
function leaveMissing(message: HostMessage, { allow, tryHere }: EmbedSettings): FrameError | null {
  if (message.type === 'key' && tryHere)
    return {
      code: 'NOT_ALLOWED',
      message: 'This frame runs a robot of its own (try=1) and accepts no key. Remove try from its address.',
    };
  if (message.type === 'open' && !tryHere)
    return {
      code: 'NOT_ALLOWED',
      message: 'Only a frame with a robot of its own (try=1) opens another world. Add try=1 to its address.',
    };
  const needed = grantFor(message);
  if (needed === null || allow.has(needed)) return null;
  return { code: 'NOT_ALLOWED', message: `The address of this frame does not allow it. Add ${needed} to its parameter allow.` };
}

const ONLY_WATCHES: FrameError = {
  code: 'NOT_ALLOWED',
  message:
    'The key of this frame only lets it watch the robot, so the robot cannot be asked. Read the state of the frame instead.',
};

/** Rejects messages that would act on a robot that this frame may only watch. */
const onlyWatches = ({ type }: HostMessage, state: ViewerState): FrameError | null =>
  !mayAct(state) && (type === 'call' || type === 'stop') ? ONLY_WATCHES : null;

function grantFor(message: HostMessage): Grant | null {
  switch (message.type) {
    case 'call':
      return READS.has(message.method) ? null : 'call';
    case 'open':
      return 'call';
    case 'stop':
      return 'stop';
    case 'set_view':
      return 'view';
    default:
      return null;
  }
}

const isLive = ({ store }: Engine): boolean => store.getState().phase === 'live';

function stateOf(state: ViewerState): FrameState {
  const { connection, loading, local, visit, task } = state;
  const parts = loading.filter(({ id }) => !local || id !== 'room');
  const done = parts.reduce((sum, { fraction }) => sum + fraction, 0);
  return {
    phase: state.phase,
    status: frameStatus(state),
    robot: state.robot,
    local,
    connection:
      connection.kind === 'ended'
        ? { kind: connection.kind, reason: connection.reason, message: connection.message }
        : { kind: connection.kind },
    loading: parts.length === 0 ? 1 : Number((done / parts.length).toFixed(3)),
    problem: frameProblem(state),
    real_time_factor: state.realTimeFactor,
    visit: visit && { freshness: visit.freshness, age_ms: visit.ageMs, robot_is_there: visit.robotIsThere },
    task: task && {
      id: task.file.id,
      seed: task.seed,
      outcome: task.isDecided ? (task.verdict?.outcome ?? null) : null,
      share: task.verdict?.share ?? 0,
    },
    runtime: state.runtime,
  };
}

const actionOf = (action: ActionView): FrameAction => ({
  action_id: action.actionId,
  kind: action.kind,
  name: action.name,
  input: action.input,
  ...callerFields(action.caller),
  status: action.status,
  phase: action.phase,
  progress: action.progress,
  started_at_ms: action.startedAtMs,
  finished_at_ms: action.finishedAtMs,
  result: action.result,
});
