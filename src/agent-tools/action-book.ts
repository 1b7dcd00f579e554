import type { ToolReply } from './tool-reply.ts';

/** A call that moves the robot or changes its world. */
export interface BookedAction {
  readonly id: string;
  readonly tool: string;
  /** Equal for calls of one tool with equal arguments. */
  readonly key: string;
  readonly startedMs: number;
  /** Settles with the final reply; never rejects. */
  readonly reply: Promise<ToolReply>;
  /** The final reply; null while the action runs. */
  ended: ToolReply | null;
  /** Whether a client has received the final reply. */
  isDelivered: boolean;
  /** Calls that wait for the end. */
  waiting: number;
  /** Ends the action and brings the robot to rest. Safe to repeat. */
  stop(): void;
}

/** For a process with one client. */
const KEPT_MAX = 4_096;

/** Whether an action may have changed the world. A rejected one does not stand between a call and its repetition. */
const mayHaveMoved = ({ ended }: BookedAction): boolean => ended === null || ended.facts.attempted !== false;

/**
 * The actions of one client. The same call joins the first one while that runs, and also if it ended last and its reply was never
 * delivered. After a delivered reply, or after another action, the same call is a new action.
 */
export class ActionBook {
  readonly #byId = new Map<string, BookedAction>();
  readonly #keptMax: number;

  /** @param keptMax the number of actions whose replies are kept */
  constructor(keptMax = KEPT_MAX) {
    this.#keptMax = keptMax;
  }

  /** Returns the action that a call without an id joins; null for a new action. */
  joined(key: string): BookedAction | null {
    const last = this.newest(this.#byId.size).find(mayHaveMoved);
    if (last?.key === key && !last.isDelivered) return last;
    return this.running().find((action) => action.key === key && !action.isDelivered) ?? null;
  }

  byId(id: string): BookedAction | null {
    return this.#byId.get(id) ?? null;
  }

  /** The running action that began last, else the last one that may have moved the robot; null before the first. */
  get last(): BookedAction | null {
    return this.running().at(-1) ?? this.newest(this.#byId.size).find(mayHaveMoved) ?? this.newest(1)[0] ?? null;
  }

  /** Returns the newest actions, newest first. */
  newest(count: number): BookedAction[] {
    return [...this.#byId.values()].slice(-count).reverse();
  }

  running(): BookedAction[] {
    return [...this.#byId.values()].filter(({ ended }) => ended === null);
  }

  add(action: BookedAction): void {
    this.#byId.set(action.id, action);
    if (this.#byId.size <= this.#keptMax) return;
    for (const [id, { ended }] of this.#byId) {
      if (ended === null) continue;
      this.#byId.delete(id);
      return;
    }
  }
}
