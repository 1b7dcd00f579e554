import { type CommandKind, overtakes } from '../../protocol/wire/command-kinds.ts';

/** This instance's knowledge of the commands of one robot. */
export interface RobotCommands {
  /** Number of the latest command that has arrived. */
  latest: number;
  open: number;
  latestStop: number;
  /** The latest of each kind that was sent. */
  readonly latestSent: Map<CommandKind, number>;
  /** By kind: settles when the latest command of it was sent and answered, or given up. */
  readonly answered: Map<CommandKind, Promise<void>>;
}

/** A command that has arrived. Whether its caller may command the robot is still unknown. */
export interface Arrival {
  /** Accepts the command, because its caller may command the robot. */
  takeUp(kind: CommandKind): CommandSlot;
}

/** The place of one command among those for the same robot, for runtimes that keep executing a command until the next one. */
export interface CommandSlot {
  readonly kind: CommandKind;
  /** Returns whether it must not be sent, or not again: a stop arrived after it, or a later command that undoes it was sent. */
  isOvertaken(): boolean;
  /** Returns whether a stop arrived after it. */
  isStopped(): boolean;
  /**
   * Settles when the previous command was answered, or was under way for long enough, so that they arrive in this order. A stop
   * does not wait.
   */
  comesUp(): Promise<unknown>;
  /** Marks it as on its way to the runtime. The next command waits for its answer, for a limited time. */
  noteUnderWay(): void;
  /** Marks it as possibly taken by the runtime. Commands that it undoes must not be sent from then on. */
  noteSent(): void;
  /** Marks it as answered, or its answer as given up. The next command may be sent. */
  noteAnswered(): void;
}

/** The parts of the service that the order needs. */
interface Deps {
  readonly settings: { readonly slotMaxMs: number };
  readonly memory: { readonly commands: Map<string, RobotCommands> };
}

/**
 * Runs one command of a robot, in the order of arrival at this instance. It does not see commands of another instance, or of a
 * participant of the room.
 */
export async function inOrder<T>(deps: Deps, robotId: string, run: (arrival: Arrival) => Promise<T>): Promise<T> {
  const robots = deps.memory.commands;
  const commands = robots.get(robotId) ?? newCommands();
  robots.set(robotId, commands);
  commands.latest += 1;
  commands.open += 1;
  let answered = () => {};
  const place = commands.latest;
  try {
    return await run({
      takeUp(kind) {
        const slot = takeUp(commands, kind, place, deps.settings.slotMaxMs);
        answered = slot.noteAnswered;
        return slot;
      },
    });
  } finally {
    answered();
    commands.open -= 1;
    if (commands.open === 0) robots.delete(robotId);
  }
}

const newCommands = (): RobotCommands => ({ latest: 0, open: 0, latestStop: 0, latestSent: new Map(), answered: new Map() });

function takeUp(commands: RobotCommands, kind: CommandKind, place: number, slotMaxMs: number): CommandSlot {
  let resolve = () => {};
  const answered = new Promise<void>((done) => {
    resolve = done;
  });
  // A drive after a stop waits for the stop as well; otherwise the stop would undo it.
  const before =
    kind === 'drive' ? [commands.answered.get('drive'), commands.answered.get('stop')] : [commands.answered.get(kind)];
  const earlier = kind === 'stop' ? [] : before;
  commands.answered.set(kind, answered);
  if (kind === 'stop') commands.latestStop = Math.max(commands.latestStop, place);
  let timer: NodeJS.Timeout | undefined;
  const isStopped = (): boolean => overtakes('stop', kind) && commands.latestStop > place;
  return {
    kind,
    isStopped,
    isOvertaken() {
      if (isStopped()) return true;
      return [...commands.latestSent].some(([later, sentPlace]) => sentPlace > place && overtakes(later, kind));
    },
    comesUp: () => Promise.all(earlier),
    noteUnderWay() {
      timer ??= setTimeout(resolve, slotMaxMs);
    },
    noteSent() {
      commands.latestSent.set(kind, Math.max(commands.latestSent.get(kind) ?? 0, place));
    },
    noteAnswered() {
      clearTimeout(timer);
      resolve();
    },
  };
}
