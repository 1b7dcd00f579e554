import { ENVELOPE_METHOD } from '../../protocol/signed/signed-claims.ts';
import { tooManyCalls } from '../../protocol/texts/error-texts.ts';
import { CALLS_AT_ONCE_MAX, STEP_S, STOPS_AT_ONCE_MAX } from '../../protocol/wire/limits.ts';
import type { Overlay } from '../../protocol/wire/render-state.ts';
import { encodeGuard } from '../reply.ts';
import type { KeptRuntime, Runtime } from '../runtime.ts';
import type { RuntimeCall } from '../runtime-call.ts';
import { isAlwaysTaken, SEALED_STOP_MAX_CHARS } from './always-taken.ts';
import { createCallQueue } from './call-queue.ts';
import { createCallRates } from './call-rates.ts';
import { createForwardClock } from './forward-clock.ts';
import { createKeeping } from './keeping.ts';
import { createPacer } from './pacing.ts';
import { createSignedQueue, type SignedTrust } from './signed-queue.ts';
import type { FromSimulation, ToSimulation } from './sim-messages.ts';
import { createStopLooks } from './stop-looks.ts';
import { createWorldStream } from './world-stream.ts';

/** Waits and lets other events of this thread run; at least one turn of the event loop passes. */
export type Sleep = (ms: number) => Promise<void>;

/** The inputs of a host that drives a runtime: clocks, a function to wait, and a function to message the page. */
export interface HostDeps {
  runtime: Runtime;
  post(message: FromSimulation): void;
  /** Sends the posted messages, if `post` collects them. Called before a step, which may hang, to report accepted actions. */
  flush?(): void;
  sleep: Sleep;
  /** Milliseconds, never going back; stops while the machine sleeps on some systems. */
  monotonicMs(): number;
  /** Milliseconds since the epoch; people and time servers may set this clock. */
  wallMs(): number;
  /**
   * Milliseconds from any origin (whole seconds are enough) on a clock that is never set and that counts the machine's sleep.
   * Browsers have no such clock.
   */
  sinceBootMs?(): number;
  hidden: boolean;
  /**
   * The trust for signed calls. It is read again for each call, because a page learns its room after it has started. Without it,
   * the runtime itself rejects `runtime.forward_envelope`.
   */
  signedControl?: SignedTrust;
  /** Keeps the data that a reload restores; null if the physics is broken. Called at intervals, and soon after an action ends. */
  keeper?: { isKeeping(): boolean; keep(kept: KeptRuntime | null): void };
  /** Whether the host has no viewer; frames and states are then not posted. @default false */
  headless?: boolean;
}

/** The messages to a running host. The owner of the host handles all others. */
export type HostMessage = Exclude<ToSimulation, { kind: 'start' | 'control-trust' | 'keep' | 'take-scene' | 'ask-proof' }>;

type CallMessage = Extract<HostMessage, { kind: 'call' }>;

export interface SimulationHost {
  receive(message: HostMessage): void;
  /** Asks for the world to be kept soon, because an action has ended or the world was replaced. */
  keepSoon(): void;
  /** Paces the runtime until `stop`. */
  run(): Promise<void>;
  stop(): void;
}

/** Length of the slices in which steps are made. Calls are answered between slices. */
const SLICE_MS = 12;
/** Lateness from which a tick is made as soon as any message arrives. */
const OVERDUE_MS = 25;
/** Time after which a full queue has room again. */
const FULL_RETRY_MS = 100;
/** Periods of the reports to a visible and to a hidden page. A hidden page draws nothing; captures carry their own frame. */
const PERIODS_MS = {
  frame: { visible: 1000 / 60, hidden: 500 },
  state: { visible: 100, hidden: 500 },
  scene: { visible: 500, hidden: 2_000 },
  timing: { visible: 500, hidden: 500 },
};
type Report = keyof typeof PERIODS_MS;

/**
 * Runs a runtime against the wall clock: serves messages as they come, makes steps when they are due, and reports at intervals.
 */
export function createSimulationHost(deps: HostDeps): SimulationHost {
  const { runtime, post } = deps;
  const rates = createCallRates();
  const pacer = createPacer(STEP_S, deps.monotonicMs());
  const dueAtMs: Record<Report, number> = { frame: 0, state: 0, scene: 0, timing: 0 };
  let hidden = deps.hidden;
  let running = false;
  let tickedAtMs = deps.monotonicMs();
  let looked = { wallMs: deps.wallMs(), monotonicMs: deps.monotonicMs() };
  let postedOverlay: Overlay | null = null;
  const measured = { sinceMs: deps.monotonicMs(), steps: 0, stepsPerSecond: 0, realTimeFactor: runtime.speed() };

  const began = { wallMs: deps.wallMs(), monotonicMs: deps.monotonicMs() };
  /** Returns the reported time. The wall clock may be set back; time in a ledger must not go back. */
  const reportedMs = createForwardClock(deps);
  /** Returns the runtime's own time, which starts at the wall clock's time and is never set. Deadlines and watchdogs use it. */
  function timeMs(): number {
    const nowMs = Math.round(began.wallMs + deps.monotonicMs() - began.monotonicMs);
    runtime.noteWallClock(reportedMs() - nowMs);
    return nowMs;
  }
  const keeping = createKeeping(deps.monotonicMs);
  const callQueue = createCallQueue({ nowMs: deps.monotonicMs, isTicking: () => running, served: reportGap });
  const looks = createStopLooks({
    nowMs: deps.monotonicMs,
    isTicking: () => running,
    isStop: (envelope) => isAlwaysTaken(ENVELOPE_METHOD, envelope),
  });
  const worldStream = createWorldStream({
    snapshot: () => runtime.worldSnapshot(timeMs()),
    send: (packets) => post({ kind: 'world', packets }),
    monotonicMs: deps.monotonicMs,
    streamId: Math.round(began.wallMs),
  });
  const { signedControl } = deps;
  const signedQueue = signedControl
    ? createSignedQueue({
        trustedKeys: () => signedControl.trustedKeys(),
        get robotId() {
          return signedControl.robotId;
        },
        get session() {
          return signedControl.session;
        },
        // Envelopes carry the time of other machines, so this clock returns to the wall clock's time; envelopes age in the
        // meantime.
        nowMs: createForwardClock(deps, CATCHING_UP),
        paced: callQueue.pay,
        handle: (call, reply) => {
          // The freeze may have come while the signature was checked.
          reportGap();
          runtime.handle({ ...call, nowMs: timeMs() }, reply);
        },
      })
    : null;

  /** Returns how far a clock that counts the machine's sleep is ahead of one that does not; 0 without such a clock. */
  const sleptMs = (): number => (deps.sinceBootMs ? deps.sinceBootMs() - deps.monotonicMs() : 0);
  let knownSleptMs = sleptMs();

  /**
   * Reports a gap. The monotonic clock shows a pause of the thread, but not always a sleep of the machine. After a sleep the wall
   * clock is ahead, as it is after it was set; a clock that counts the sleep distinguishes the two cases.
   */
  function reportGap(): void {
    const [wallNowMs, monotonicNowMs] = [deps.wallMs(), deps.monotonicMs()];
    const wallPassedMs = wallNowMs - looked.wallMs;
    const isAhead = wallPassedMs - (monotonicNowMs - looked.monotonicMs) > SLEEP_MIN_MS;
    looked = { wallMs: wallNowMs, monotonicMs: monotonicNowMs };
    const gapMs = pacer.takeGapMs(monotonicNowMs) + (isAhead ? newlySleptMs() : 0);
    if (gapMs === 0) return;
    runtime.noteSuspended(Math.round(gapMs), timeMs());
    post({ kind: 'suspended', gapMs: Math.round(gapMs) });
  }

  function newlySleptMs(): number {
    const nowSleptMs = sleptMs();
    const newMs = nowSleptMs - knownSleptMs;
    if (newMs <= SLEEP_MIN_MS) return 0;
    knownSleptMs = nowSleptMs;
    return newMs;
  }

  function receive(message: HostMessage): void {
    // Messages that waited during a freeze come before the next tick, so the freeze is reported first.
    reportGap();
    // When many messages come at once, a timer may wait for all of them.
    if (running && deps.monotonicMs() - tickedAtMs > OVERDUE_MS) tick();
    switch (message.kind) {
      case 'call':
        receiveCall(message);
        break;
      case 'capture-finished':
        runtime.finishCapture(message.actionId, message.outcome, timeMs());
        break;
      case 'cameras':
        runtime.noteCameras(message.cameras);
        break;
      case 'visibility':
        hidden = message.hidden;
        for (const report of Object.keys(dueAtMs) as Report[]) dueAtMs[report] = 0;
        break;
      case 'participant-left':
        runtime.noteLeft(message.identity, timeMs());
        break;
      case 'owner-order':
        runtime.obeyOwner(message.order, timeMs());
        break;
      case 'cancel-active':
        runtime.cancelActive(timeMs(), message.by);
        break;
      case 'watchers':
        worldStream.note(message.update);
        break;
      case 'emergency-stop':
        if (message.latched) {
          const { by, reason, name, pressId, sinceMs } = message;
          runtime.emergencyStop(timeMs(), by, { reason, name, pressId, sinceMs });
        } else runtime.releaseEmergencyStop(timeMs());
        break;
    }
  }

  function receiveCall({ callId, requestId, method, payload, callerIdentity, callerName, mark }: CallMessage): void {
    const reply = (text: string): void => post({ kind: 'reply', callId, text });
    // The page calls without an identity. No participant has an empty name.
    const caller = callerIdentity ?? '';
    const isFull = callQueue.waitingOf(caller) >= CALLS_AT_ONCE_MAX || !callQueue.hasRoom(caller, payload.length);
    const tooEarlyMs = callerIdentity === null ? 0 : rates.admit(callerIdentity, deps.monotonicMs());
    const retryAfterMs = Math.max(isFull ? FULL_RETRY_MS : 0, tooEarlyMs);
    const admit = (isTaken: boolean): void => {
      // The queue may have grown while the call was examined.
      if (!isTaken || callQueue.waitingOf(caller) >= CALLS_AT_ONCE_MAX + STOPS_AT_ONCE_MAX) {
        reply(encodeGuard(tooManyCalls(retryAfterMs)));
        return;
      }
      const hurry = callQueue.push(caller, payload.length, () => {
        const call: RuntimeCall = { requestId, method, payload, callerIdentity, callerName, mark, nowMs: timeMs() };
        if (method === ENVELOPE_METHOD && signedQueue !== null) signedQueue.receive(call, reply);
        else runtime.handle(call, reply);
      });
      if (hurry === null) return;
      if (method !== ENVELOPE_METHOD) {
        if (isAlwaysTaken(method, payload)) hurry();
      } else if (payload.length <= SEALED_STOP_MAX_CHARS) {
        looks.look(caller, payload, (isStop) => {
          if (isStop) hurry();
        });
      }
    };
    if (retryAfterMs === 0) admit(true);
    else if (method !== ENVELOPE_METHOD) admit(isAlwaysTaken(method, payload));
    else if (payload.length > SEALED_STOP_MAX_CHARS || callQueue.waitingOf(caller) >= CALLS_AT_ONCE_MAX + STOPS_AT_ONCE_MAX)
      admit(false);
    else looks.look(caller, payload, admit);
  }

  /**
   * 1. Notices a freeze; 2. serves calls for a bounded time; 3. makes the steps that are due, up to one slice; 4. measures;
   * 5. reports to the page and to the viewers; 6. keeps the world.
   */
  function tick(): void {
    reportGap();
    tickedAtMs = deps.monotonicMs();
    callQueue.renew();
    looks.renew();
    const startMs = deps.monotonicMs();
    const due = pacer.stepsDue(startMs, runtime.speed());
    let made = 0;
    while (made < due) {
      deps.flush?.();
      runtime.step(timeMs());
      made += 1;
      if (deps.monotonicMs() - startMs >= SLICE_MS) break;
    }
    pacer.made(made);
    measured.steps += made;
    if (isDue('timing')) measure();
    if (!deps.headless) publish();
    worldStream.sendDue();
    keep();
  }

  function keep(): void {
    if (!deps.keeper?.isKeeping() || !keeping.isDue()) return;
    deps.keeper.keep(runtime.keep());
    keeping.kept();
  }

  function measure(): void {
    const nowMs = deps.monotonicMs();
    const passedMs = nowMs - measured.sinceMs;
    if (passedMs >= PERIODS_MS.timing.visible / 2) {
      measured.stepsPerSecond = (measured.steps / passedMs) * 1000;
      measured.realTimeFactor = measured.stepsPerSecond * STEP_S;
      measured.sinceMs = nowMs;
      measured.steps = 0;
    }
    runtime.noteTiming({ realTimeFactor: measured.realTimeFactor, hidden });
  }

  function publish(): void {
    if (isDue('frame')) postFrame();
    if (isDue('state')) {
      const nowMs = timeMs();
      const scene = isDue('scene') ? runtime.sceneState(nowMs) : null;
      const { stepsPerSecond, realTimeFactor } = measured;
      post({ kind: 'state', runtime: runtime.state(nowMs), scene, timing: { stepsPerSecond, realTimeFactor } });
    }
  }

  function postFrame(): void {
    const overlay = runtime.overlay();
    // The runtime replaces its overlay and never changes one.
    const changed = overlay !== postedOverlay;
    postedOverlay = overlay;
    post({ kind: 'frame', renderState: runtime.renderState(), ...(changed ? { overlay } : {}) });
  }

  /** Returns whether a report is due. Reports keep the rhythm of their period; missed reports are skipped. */
  function isDue(report: Report): boolean {
    const nowMs = deps.monotonicMs();
    if (nowMs < dueAtMs[report]) return false;
    const periodMs = PERIODS_MS[report][hidden ? 'hidden' : 'visible'];
    dueAtMs[report] = Math.max(dueAtMs[report] + periodMs, nowMs);
    return true;
  }

  async function run(): Promise<void> {
    running = true;
    while (running) {
      tick();
      await deps.sleep(pacer.msToNextStep(runtime.speed()));
    }
  }

  return {
    receive,
    keepSoon: keeping.soon,
    run,
    stop() {
      running = false;
    },
  };
}

/** A clock that counts sleep is coarse, so it is read only when the wall clock is ahead by this much. */
const SLEEP_MIN_MS = 5_000;
/** A clock that was set back by one minute agrees with the wall clock again after two. */
const CATCHING_UP = 0.5;
