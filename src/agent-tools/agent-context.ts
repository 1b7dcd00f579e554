import type { ActionBook } from './action-book.ts';
import type { RobotAccess } from './robot-access.ts';

/** The clock of an agent's tools, as arguments so that tests control it. */
export interface AgentClock {
  /** Milliseconds, any origin; never goes back. */
  nowMs(): number;
  /** Settles after this time, or earlier when the signal fires. */
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A world that an agent may start again. */
export interface Restart {
  seed?: number | undefined;
  scene?: string | undefined;
  /** The id of a task of the product. */
  task?: string | undefined;
}

/** The circumstances of an agent's robot, apart from the robot. */
export interface AgentPlace {
  /** The model of the robot, such as `humanoid`; null if unknown. */
  robotModel: string | null;
  /** An address at which people can watch; null without one. */
  watchUrl: string | null;
  /** A link at which people can watch. It is long and contains a key, so only a request returns it. @default null */
  watchLink?: string | null;
  /** The requested seed, if the seed of the world is drawn from it. @default the seed of the world */
  seed?: number | undefined;
  /** The task in words; null without one. It never contains how the task is judged. */
  instruction: string | null;
  /** In an exam, the agent cannot start over. */
  isExam: boolean;
  /** Loads another world, for places that can do more than the skills `reset` and `select_scene`. @throws Error with a sentence */
  restart: ((restart: Restart) => Promise<void>) | null;
}

/** The parts that tools share. */
export interface AgentContext {
  robot: RobotAccess;
  place: AgentPlace;
  clock: AgentClock;
  book: ActionBook;
  /** Returns the agent's name for other people, as its client gave it. */
  agentName(): string;
  /** Returns a new action id. */
  newId(): string;
}
