import { startAwakeTimer } from '../../cameras/awake-timer.ts';
import { guard } from '../../protocol/wire/action.ts';
import type { IncomingCall } from '../../protocol/wire/call-deduplicator.ts';
import type { Caller, PageMark } from '../../protocol/wire/caller.ts';
import { runtimeError } from '../../protocol/wire/error-codes.ts';
import type { OwnerOrder } from '../../protocol/wire/owner-order.ts';
import { refusedScene, type SceneOutcome } from '../../protocol/wire/scene-outcome.ts';
import type { WatcherUpdate } from '../../protocol/world-stream/audience.ts';
import type { CameraState, CaptureOutcome } from '../../runtime/action-record.ts';
import type { PressFacts } from '../../runtime/emergency-stop.ts';
import type { ControlTrust, FromSimulation, KeepOrder, ProofOutcome, ToSimulation } from '../../runtime/host/sim-messages.ts';
import { openSimulation, type SimulationPort } from './simulation-port.ts';
import { STOPPED } from './simulation-texts.ts';

/** A call of a participant, or of the page itself. */
export interface AskedCall extends Omit<IncomingCall, 'callerIdentity'> {
  /** Null for the page. */
  callerIdentity: string | null;
  /** The name of that participant in the room. @default unknown */
  callerName?: string | null;
  /** The part of the page that calls. @default the page as a whole */
  mark?: PageMark;
}

/** The page's side of the simulation's worker. */
export interface SimulationClient {
  /** Resolves with the reply's JSON text; never rejects. */
  call(call: AskedCall): Promise<string>;
  /** Returns the proof of the task's run so far. */
  proof(): Promise<ProofOutcome>;
  /** Reads a scene file, so that its scene can be selected. Never rejects. */
  takeScene(text: string): Promise<SceneOutcome>;
  finishCapture(actionId: string, outcome: CaptureOutcome): void;
  /** Sets whether pictures are available. At first, the cameras are still being built. */
  setCameras(cameras: CameraState): void;
  setHidden(hidden: boolean): void;
  /** Notes that a participant has left the room. */
  noteLeft(identity: string): void;
  /** Applies the owner's order on which participant drives. */
  obeyOwner(order: OwnerOrder): void;
  /** Cancels the running actions. @param by the caller who asked for it, named in the replies of the cancelled actions */
  cancelActive(by: Caller): void;
  /** Sets whose signed calls are accepted from now on, in the `rcw` profile. */
  setTrust(trust: ControlTrust): void;
  /** Latches the emergency stop, or releases it. @param by the caller who pressed it, named in rejections while it is latched */
  setEmergencyStop(latched: boolean, by: Caller, facts?: PressFacts): void;
  /** Sets who watches the robot remotely. */
  setWatchers(update: WatcherUpdate): void;
  /** Sets where the world is stored. */
  keep(order: KeepOrder): void;
  dispose(): void;
}

/** All messages of the worker except replies, which go to their callers. */
export type SimulationEvent = Exclude<FromSimulation, { kind: 'reply' | 'scene-taken' | 'proof' }>;

/**
 * A running simulation reports its state at least twice a second. If it is silent for this much of the page's own time, it hangs.
 */
const SILENT_FOR_MS = 15_000;

/**
 * Starts the simulation.
 * @param onEvent called for each event; a crash of the worker arrives as `failed`, after the open calls were answered
 */
export function startSimulation(
  options: Omit<Extract<ToSimulation, { kind: 'start' }>, 'kind'>,
  onEvent: (event: SimulationEvent) => void,
  port: SimulationPort = openSimulation(),
): SimulationClient {
  const open = new Map<number, (text: string) => void>();
  const openProofs = new Map<number, (outcome: ProofOutcome) => void>();
  const openScenes = new Map<number, (outcome: SceneOutcome) => void>();
  let lastCallId = 0;
  let gone = false;
  let heard = false;
  let endWatch = (): void => {};

  /** Starts the watch for silence, only at `ready`, because loading time depends on the network. */
  function watch(): void {
    heard = false;
    endWatch = startAwakeTimer(SILENT_FOR_MS, () => (heard ? watch() : fail()));
  }

  function fail(): void {
    if (gone) return;
    end();
    onEvent({ kind: 'failed', message: STOPPED });
  }

  function take(message: FromSimulation): void {
    if (gone) return;
    heard = true;
    if (message.kind === 'ready') watch();
    if (message.kind === 'reply') {
      open.get(message.callId)?.(message.text);
      open.delete(message.callId);
      return;
    }
    if (message.kind === 'scene-taken') {
      openScenes.get(message.askId)?.(message.outcome);
      openScenes.delete(message.askId);
      return;
    }
    if (message.kind === 'proof') {
      openProofs.get(message.askId)?.(message.outcome);
      openProofs.delete(message.askId);
      return;
    }
    if (message.kind === 'failed') end();
    onEvent(message);
  }

  port.addEventListener('message', ({ data }) => {
    for (const message of data) {
      try {
        take(message);
      } catch (thrown) {
        // A listener that throws must not keep the event from the others.
        reportError(thrown);
      }
    }
  });
  port.addEventListener('error', fail);
  port.postMessage({ kind: 'start', ...options });

  function end(): void {
    gone = true;
    endWatch();
    for (const resolve of open.values()) resolve(STOPPED_REPLY);
    open.clear();
    for (const resolve of openScenes.values()) resolve(refusedScene(SCENE_NOT_READ));
    openScenes.clear();
    for (const resolve of openProofs.values()) resolve({ ok: false, problem: PROOF_LOST });
    openProofs.clear();
    port.terminate();
  }

  return {
    call(call) {
      if (gone) return Promise.resolve(STOPPED_REPLY);
      lastCallId += 1;
      const callId = lastCallId;
      return new Promise((resolve) => {
        open.set(callId, resolve);
        port.postMessage({ kind: 'call', callId, ...call });
      });
    },
    takeScene(text) {
      if (gone) return Promise.resolve(refusedScene(SCENE_NOT_READ));
      lastCallId += 1;
      const askId = lastCallId;
      return new Promise((resolve) => {
        openScenes.set(askId, resolve);
        port.postMessage({ kind: 'take-scene', askId, text });
      });
    },
    proof() {
      if (gone) return Promise.resolve({ ok: false, problem: PROOF_LOST });
      lastCallId += 1;
      const askId = lastCallId;
      return new Promise((resolve) => {
        openProofs.set(askId, resolve);
        port.postMessage({ kind: 'ask-proof', askId });
      });
    },
    finishCapture: (actionId, outcome) => port.postMessage({ kind: 'capture-finished', actionId, outcome }),
    setCameras: (cameras) => port.postMessage({ kind: 'cameras', cameras }),
    setHidden: (hidden) => port.postMessage({ kind: 'visibility', hidden }),
    obeyOwner: (order) => port.postMessage({ kind: 'owner-order', order }),
    noteLeft: (identity) => port.postMessage({ kind: 'participant-left', identity }),
    cancelActive: (by) => port.postMessage({ kind: 'cancel-active', by }),
    setTrust: (trust) => port.postMessage({ kind: 'control-trust', trust }),
    setEmergencyStop: (latched, by, facts) => port.postMessage({ kind: 'emergency-stop', latched, by, ...facts }),
    setWatchers: (update) => port.postMessage({ kind: 'watchers', update }),
    keep: (order) => port.postMessage({ kind: 'keep', order }),
    dispose: end,
  };
}

const PROOF_LOST = 'There is no proof of this run: the simulation stopped. Begin the task again.';
const SCENE_NOT_READ = 'could not be read: the simulation stopped. Try again when the robot is back.';
const STOPPED_REPLY = JSON.stringify(
  guard(
    runtimeError('INTERNAL', 'The simulation stopped while this call was open. Read the state once the robot is back.', {
      worldChanged: 'unknown',
    }),
  ),
);
