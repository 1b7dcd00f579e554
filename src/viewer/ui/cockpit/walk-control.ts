import type { Engine, ViewerState } from '../../engine/types.ts';
import { anotherDrives, drivenText } from '../common/lease.ts';
import { ownHand } from '../common/own-hand.ts';
import { beginning, THIS_PAGE } from '../common/texts.ts';
import { othersCommandSince } from '../common/who-moves.ts';
import {
  type DriveCommand,
  type DriveIntent,
  type DriveLimits,
  type DriveSource,
  type DriveState,
  dueCommand,
  initialDrive,
  isChanged,
  isStandstill,
  NO_INTENT,
  STANDSTILL,
  wantedVelocity,
  withAnswer,
  withBlock,
  withIntent,
  withSent,
} from '../drive/drive-core.ts';
import type { CallAnswer, CockpitCalls } from './cockpit-calls.ts';
import { beginLettingGo, isLetGo, type LettingGo, letGoStep, type StateSeen, withAnotherTry, withReply } from './letting-go.ts';

/** Manual control of the legs of a robot that keeps a velocity until it gets another command. */
export interface WalkControl {
  state(): DriveState;
  /** Returns whether a zero velocity is in transit that the robot has not confirmed. */
  isLettingGo(): boolean;
  /**
   * Takes the input of a source. @param blocked whether the input moves nothing now, and counts only after it has been released
   */
  hold(source: DriveSource, intent: DriveIntent, blocked: boolean): void;
  change(what: { slow?: boolean; speedShare?: number; limits?: DriveLimits }): void;
  /** Ignores held input until it has been released, and sends the resulting command. @returns whether the robot was driven */
  halt(): boolean;
  /** Repeats a zero velocity until the robot confirms that it keeps none. */
  letGo(): void;
  /** Called when the page's stop was pressed: forgets held input, and verifies the stop like a zero velocity. */
  watchStop(): void;
  /**
   * Prepares for our own stop, whose reply reports the outcome: sends nothing, and held input counts again after it has been
   * released.
   */
  leaveToStop(): void;
  tick(): void;
}

interface WalkDeps {
  engine: Pick<Engine, 'store' | 'stop'>;
  calls: Pick<CockpitCalls, 'setVelocity'>;
  nowMs(): number;
  epochMs(): number;
  newId(): string;
  speedShare: number;
  onChange(): void;
  say(text: string): void;
  /** Removes the notice if it is the latest one. */
  unsay(text: string): void;
}

const UNCONFIRMED_TEXT = 'The robot has not confirmed that it stands. If it moves, press the emergency stop.';

/** From the first push to the confirmed standstill. */
interface Stroke {
  id: string;
  commands: number;
  sinceEpochMs: number;
  /** When the body received our latest command, milliseconds since the epoch. */
  takenAtEpochMs: number;
}

export function createWalkControl({
  engine,
  calls,
  nowMs,
  epochMs,
  newId,
  speedShare,
  onChange,
  say,
  unsay,
}: WalkDeps): WalkControl {
  let state: DriveState = initialDrive(speedShare);
  let stroke: Stroke | null = null;
  let going: LettingGo | null = null;
  /** The stroke that our own stop ends. Its late replies are ignored. */
  let leftToStop: string | null = null;

  function set(next: DriveState): void {
    state = next;
    onChange();
  }

  function setGoing(next: LettingGo | null): void {
    going = next;
    onChange();
  }

  /** Ends the stroke without sending anything, because another caller controls the robot or it stands still. */
  function forget(): void {
    stroke = null;
    going = null;
    set(withBlock({ ...state, sent: STANDSTILL }));
  }

  function tick(): void {
    const seen = engine.store.getState();
    if (seen.runtime?.robot.extra.control?.emergency_stop) {
      // The emergency stop has stopped the robot, which would accept nothing else.
      if (stroke || going || !isStandstill(wantedVelocity(state))) forget();
      return;
    }
    const driver = anotherDrives(seen);
    if (driver && (stroke || !isStandstill(wantedVelocity(state)))) {
      // The robot has ended our command. A zero velocity from us would end another caller's.
      forget();
      say(drivenText(driver, seen));
      return;
    }
    if (going) keepLettingGo(going, seen);
    if (stroke && going === null && isInOtherHands(stroke, seen)) return;
    // A velocity lasts until the next one, independent of the speed of simulated time.
    const due = dueCommand(state, nowMs(), 1);
    if (due) send(due);
  }

  function keepLettingGo(current: LettingGo, seen: ViewerState): void {
    const theirs = othersCommandSince(seen, current.sinceEpochMs);
    if (isLetGo(current, stateOf(seen)) || theirs?.name === 'set_velocity') {
      if (isStandstill(state.sent)) stroke = null;
      setGoing(null);
      unsay(UNCONFIRMED_TEXT);
      return;
    }
    const step = letGoStep(current, nowMs());
    if (step === 'wait') return;
    setGoing(withAnotherTry(current, nowMs()));
    sendZero();
    if (step === 'send-again') return;
    say(UNCONFIRMED_TEXT);
    engine.stop();
  }

  /**
   * Returns whether another caller has commanded the body since this stroke began. Continuing would take the robot from them
   * unasked.
   */
  function isInOtherHands(current: Stroke, seen: ViewerState): boolean {
    const theirs = othersCommandSince(seen, current.sinceEpochMs);
    if (!theirs) return false;
    const text = theirs.name === 'stop' ? stoppedText(theirs.who) : `${beginning(theirs.who)} drives now.`;
    // If our renewal came after their command, or is still in transit, it would be kept for ever.
    if (theirs.atMs > current.takenAtEpochMs && state.unanswered === 0) forget();
    else letGo();
    say(`${text} Let go and press again to drive on.`);
    return true;
  }

  function send(command: DriveCommand): void {
    set(withSent(state, command, nowMs()));
    if (isStandstill(command)) {
      going = beginLettingGo(nowMs(), epochMs());
      sendZero();
      return;
    }
    going = null;
    const part = nextId();
    void calls.setVelocity(command, part).then((answer) => answered(answer, part.id));
  }

  /** Sends the zero velocity, which also ends the stroke in the list. */
  function sendZero(): void {
    const since = going?.sinceEpochMs;
    void calls.setVelocity(STANDSTILL, nextId()).then((answer) => {
      set(withAnswer(state));
      if (!going || going.sinceEpochMs !== since) return;
      if (!answer.ok && replacedBy(answer)) return;
      setGoing(withReply(going, answer.ok ? answer.meta.finished_at_ms : epochMs()));
      tick();
    });
  }

  function nextId(): { id: string; number: number } {
    stroke ??= { id: newId(), commands: 0, sinceEpochMs: epochMs(), takenAtEpochMs: 0 };
    stroke.commands += 1;
    return { id: stroke.id, number: stroke.commands };
  }

  function answered(answer: CallAnswer, strokeId: string): void {
    set(withAnswer(state));
    if (answer.ok) {
      if (stroke?.id === strokeId) stroke.takenAtEpochMs = answer.meta.started_at_ms;
      else if (isLeftOver(strokeId, answer.meta.started_at_ms)) letGo();
      tick();
      return;
    }
    const by = replacedBy(answer);
    if (ownHand(by?.caller)?.stroke?.id === strokeId) return;
    if (stroke?.id !== strokeId || isStandstill(state.sent)) return;
    // If another caller's command replaced ours, or they drive, our zero velocity would stop their motion. If ours was rejected,
    // or another is in transit, ours may be kept.
    if (answer.error?.code === 'NOT_CONTROLLER' || (by !== null && state.unanswered === 0)) forget();
    else letGo();
    say(by !== null ? 'Another participant drives. Let go and press again to drive.' : answer.text);
  }

  /** Returns whether the robot keeps a velocity that reached the body after its stroke had ended here. */
  function isLeftOver(strokeId: string, takenAtEpochMs: number): boolean {
    if (strokeId === leftToStop || going !== null || !isStandstill(state.sent)) return false;
    return othersCommandSince(engine.store.getState(), takenAtEpochMs) === null;
  }

  function letGo(): void {
    set(withBlock(state));
    send({ ...STANDSTILL, durationS: 0 });
  }

  function halt(): boolean {
    const drove = !isStandstill(wantedVelocity(state)) || !isStandstill(state.sent);
    set(withBlock(withIntent(state, 'keys', NO_INTENT)));
    tick();
    return drove;
  }

  return {
    state: () => state,
    isLettingGo: () => going !== null,
    hold(source, intent, blocked) {
      const next = withIntent(state, source, intent);
      set(blocked ? withBlock(next) : next);
      // A gamepad is read continuously. Only a change is sent from here. The renewal waits for a tick that has first processed
      // the robot's updates.
      if (isChanged(state)) tick();
    },
    change(what) {
      set({ ...state, ...what });
      tick();
    },
    halt,
    letGo,
    watchStop() {
      forget();
      setGoing(withReply(beginLettingGo(nowMs(), epochMs()), epochMs()));
    },
    leaveToStop() {
      leftToStop = stroke?.id ?? null;
      forget();
    },
    tick,
  };
}

const stateOf = ({ runtime }: ViewerState): StateSeen | null => {
  const control = runtime?.robot.extra.control;
  return runtime && control ? { control, wallTimeMs: runtime.timestamp.wall_time_ms } : null;
};

/** Returns the caller whose action took over, if a call failed for that reason. */
function replacedBy(answer: CallAnswer): { caller: unknown } | null {
  if (answer.ok || answer.error?.code !== 'CANCELLED') return null;
  const { superseded_by: by, superseder: caller } = answer.error.details;
  return typeof by === 'string' ? { caller } : null;
}

export const stoppedText = (who: string): string =>
  who === THIS_PAGE ? 'The robot was stopped.' : `${beginning(who)} stopped the robot.`;
