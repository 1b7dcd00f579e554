import { tooManyCalls } from '../../protocol/error-texts.ts';
import { CALLS_AT_ONCE_MAX, STEP_S, STOPS_AT_ONCE_MAX } from '../../protocol/limits.ts';
import type { Overlay } from '../../protocol/render-state.ts';
import { ENVELOPE_METHOD } from '../../protocol/signed-claims.ts';
import { encodeGuard } from '../reply.ts';
import type { KeptRuntime, Runtime, RuntimeCall } from '../runtime.ts';
import { isAlwaysTaken, SEALED_STOP_MAX_CHARS } from './always-taken.ts';
import { createCallLine } from './call-line.ts';
import { createCallRates } from './call-rates.ts';
import { createForwardClock } from './forward-clock.ts';
import { createKeeping } from './keeping.ts';
import { createPacer } from './pacing.ts';
import { createSignedDesk, type SignedTrust } from './signed-desk.ts';
import type { FromSimulation, ToSimulation } from './sim-messages.ts';
import { createStopLooks } from './stop-looks.ts';

/** Waits, letting other events of this thread run meanwhile; at least one turn of the event loop passes. */
export type Sleep = (ms: number) => Promise<void>;

/** What drives a runtime: clocks, a way to wait, a way to tell the page. */
export interface HostDeps {
  runtime: Runtime;
  post(message: FromSimulation): void;
  sleep: Sleep;
  /** Milliseconds, never going back; stands still while the machine sleeps on some systems. */
  monotonicMs(): number;
  /** Milliseconds since the epoch; people and time servers set it. */
  wallMs(): number;
  /** Milliseconds of any origin, whole seconds will do: a clock that nobody sets and that counts the sleep of the machine. Browsers have none. */
  sinceBootMs?(): number;
  hidden: boolean;
  /** Whose signed calls are taken, asked anew with each: a page learns its room after it has started; without it the runtime itself refuses `runtime.forward_envelope`. */
  signedControl?: SignedTrust;
  /** Keeps what a reload goes on from, null when the physics is broken. It is asked now and then, and soon after an action has ended. */
  keeper?: { isKeeping(): boolean; keep(kept: KeptRuntime | null): void };
  /** Nobody watches: neither frames nor states are told. @default false */
  headless?: boolean;
}

/** What a running host is told; the rest is for whoever keeps it. */
export type HostMessage = Exclude<ToSimulation, { kind: 'start' | 'control-trust' | 'keep' }>;

type CallMessage = Extract<HostMessage, { kind: 'call' }>;

export interface SimulationHost {
  receive(message: HostMessage): void;
  /** An action has ended, or the world is another: it is kept soon. */
  keepSoon(): void;
  /** Paces the runtime until `stop`. */
  run(): Promise<void>;
  stop(): void;
}

/** Steps are made in slices of this length, so that calls are answered between them. */
const SLICE_MS = 12;
/** A tick that is late by so much is made as soon as anything comes. */
const OVERDUE_MS = 25;
/** A line that is full has room again by then. */
const FULL_RETRY_MS = 100;
/** How often the page is told, visible and hidden. A hidden page draws nothing; captures bring their own frame. */
const PERIODS_MS = {
  frame: { visible: 1000 / 60, hidden: 500 },
  state: { visible: 100, hidden: 500 },
  scene: { visible: 500, hidden: 2_000 },
  timing: { visible: 500, hidden: 500 },
};
type Report = keyof typeof PERIODS_MS;

/** Runs a runtime against the wall clock: messages as they come, steps when they are due, reports now and then. */
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
  let layoutSceneId = runtime.layout().scene_id;
  const measured = { sinceMs: deps.monotonicMs(), steps: 0, stepsPerSecond: 0, realTimeFactor: runtime.speed() };

  const began = { wallMs: deps.wallMs(), monotonicMs: deps.monotonicMs() };
  /** What the outside is told: the wall clock may be set back, time in a ledger may not. */
  const toldMs = createForwardClock(deps);
  /** The runtime's own time goes on from the wall clock's at the start, and nobody sets it: deadlines and watchdogs go by it. */
  function timeMs(): number {
    const nowMs = Math.round(began.wallMs + deps.monotonicMs() - began.monotonicMs);
    runtime.noteWallClock(toldMs() - nowMs);
    return nowMs;
  }
  const keeping = createKeeping(deps.monotonicMs);
  const line = createCallLine({ nowMs: deps.monotonicMs, isTicking: () => running, served: reportGap });
  const looks = createStopLooks({
    nowMs: deps.monotonicMs,
    isTicking: () => running,
    isStop: (envelope) => isAlwaysTaken(ENVELOPE_METHOD, envelope),
  });
  const { signedControl } = deps;
  const desk = signedControl
    ? createSignedDesk({
        trustedKeys: () => signedControl.trustedKeys(),
        get robotId() {
          return signedControl.robotId;
        },
        get session() {
          return signedControl.session;
        },
        // Envelopes bear the time of other machines, so this one goes back to the wall clock's, and ages them meanwhile.
        nowMs: createForwardClock(deps, CATCHING_UP),
        paced: line.pay,
        handle: (call, reply) => {
          // The freeze may have come while the signature was checked.
          reportGap();
          runtime.handle({ ...call, nowMs: timeMs() }, reply);
        },
      })
    : null;

  /** How far a clock that counts the sleep of the machine is ahead of one that does not; 0 without such a clock. */
  const sleptMs = (): number => (deps.sinceBootMs ? deps.sinceBootMs() - deps.monotonicMs() : 0);
  let knownSleptMs = sleptMs();

  /**
   * A pause of the thread shows on the monotonic clock. A sleep of the machine may not: the wall clock is then ahead, as it is when
   * somebody has set it, and a clock that counts the sleep tells which of the two it was.
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
    // Messages that waited out a freeze come before the next tick: the freeze is told first.
    reportGap();
    // Where many messages come at once, a timer may wait for all of them.
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
      case 'cancel-active':
        runtime.cancelActive(timeMs(), message.by);
        break;
      case 'emergency-stop':
        if (message.latched) runtime.emergencyStop(timeMs(), message.by);
        else runtime.releaseEmergencyStop(timeMs());
        break;
    }
  }

  function receiveCall({ callId, requestId, method, payload, callerIdentity, hand }: CallMessage): void {
    const reply = (text: string): void => post({ kind: 'reply', callId, text });
    // The page is the person's own; no participant has an empty name.
    const caller = callerIdentity ?? '';
    const isFull = line.waitingOf(caller) >= CALLS_AT_ONCE_MAX || !line.hasRoom(caller, payload.length);
    const tooEarlyMs = callerIdentity === null ? 0 : rates.admit(callerIdentity, deps.monotonicMs());
    const retryAfterMs = Math.max(isFull ? FULL_RETRY_MS : 0, tooEarlyMs);
    const admit = (isTaken: boolean): void => {
      // The line may have grown while the call was looked at.
      if (!isTaken || line.waitingOf(caller) >= CALLS_AT_ONCE_MAX + STOPS_AT_ONCE_MAX) {
        reply(encodeGuard(tooManyCalls(retryAfterMs)));
        return;
      }
      const hurry = line.push(caller, payload.length, () => {
        const call: RuntimeCall = { requestId, method, payload, callerIdentity, hand, nowMs: timeMs() };
        if (method === ENVELOPE_METHOD && desk !== null) desk.receive(call, reply);
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
    else if (payload.length > SEALED_STOP_MAX_CHARS || line.waitingOf(caller) >= CALLS_AT_ONCE_MAX + STOPS_AT_ONCE_MAX)
      admit(false);
    else looks.look(caller, payload, admit);
  }

  /** 1. notice a freeze; 2. serve calls for a bounded time; 3. make the steps that are due, as far as one slice goes; 4. measure; 5. tell the page; 6. keep the world. */
  function tick(): void {
    reportGap();
    tickedAtMs = deps.monotonicMs();
    line.renew();
    looks.renew();
    const startMs = deps.monotonicMs();
    const due = pacer.stepsDue(startMs, runtime.speed());
    let made = 0;
    while (made < due) {
      runtime.step(timeMs());
      made += 1;
      if (deps.monotonicMs() - startMs >= SLICE_MS) break;
    }
    pacer.made(made);
    measured.steps += made;
    if (isDue('timing')) measure();
    if (!deps.headless) publish();
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
      const layout = runtime.layout();
      if (layout.scene_id !== layoutSceneId) {
        layoutSceneId = layout.scene_id;
        post({ kind: 'layout', layout });
      }
      const nowMs = timeMs();
      const scene = isDue('scene') ? runtime.sceneState(nowMs) : null;
      const { stepsPerSecond, realTimeFactor } = measured;
      post({ kind: 'state', runtime: runtime.state(nowMs), scene, timing: { stepsPerSecond, realTimeFactor } });
    }
  }

  function postFrame(): void {
    const overlay = runtime.overlay();
    // The runtime replaces its overlay, it never changes one.
    const changed = overlay !== postedOverlay;
    postedOverlay = overlay;
    post({ kind: 'frame', renderState: runtime.renderState(), ...(changed ? { overlay } : {}) });
  }

  /** Keeps the beat of a period without making up for beats that were missed. */
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

/** A clock that counts sleep is coarse, and asked only when the wall clock is ahead by so much. */
const SLEEP_MIN_MS = 5_000;
/** A clock that was set back by a minute is the wall clock's again after two. */
const CATCHING_UP = 0.5;
