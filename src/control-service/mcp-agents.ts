import type { Agent } from '../agent-tools/agent.ts';
import { ServiceError } from './service-error.ts';

/** The program to which an agent belongs. */
interface McpProgram {
  accountId: string;
  keyId: string;
  robotId: string;
  /** The name that it gave itself. */
  name: string;
  /** The session of a client of 2025; null for a client without a session. */
  sessionId: string | null;
}

/** The agent of one program. */
export interface HeldAgent {
  readonly agent: Agent;
  readonly accountId: string;
  readonly sessionId: string | null;
  openCalls: number;
  usedMs: number;
}

/** Each agent keeps its last actions, so their number is limited. Beyond it, the one that was not used for longest ends. */
const AGENTS_OF_ACCOUNT_MAX = 32;
/** A program that is silent for this long is forgotten, with the results of its actions. */
const IDLE_MS = 30 * 60_000;

/**
 * The agents of the programs that use robots over the Model Context Protocol. All requests of one program share an agent, so a
 * repeated call joins the first, also over another connection.
 */
export class McpAgents {
  /** The most recently used one is at the end. */
  readonly #all = new Map<string, HeldAgent>();
  readonly #servers: { close(): Promise<void> }[] = [];
  #isEnded = false;

  /**
   * Returns the agent of a program.
   * @param nowMs of the monotonic clock
   * @throws 429 if all agents of the account have open calls, 503 if the service ends
   */
  agentOf(program: McpProgram, nowMs: number, create: () => Agent): HeldAgent {
    if (this.#isEnded) throw ServiceError.ending();
    this.#endIdle(nowMs);
    const { accountId, keyId, robotId, name, sessionId } = program;
    const key = JSON.stringify([keyId, robotId, name, sessionId]);
    let held = this.#all.get(key);
    if (held === undefined) {
      this.#makeRoom(accountId);
      held = { agent: create(), accountId, sessionId, openCalls: 0, usedMs: nowMs };
    }
    this.#all.delete(key);
    this.#all.set(key, held);
    held.usedMs = nowMs;
    return held;
  }

  /** Ends the agent of a session that has ended, and its actions. */
  async endSession(sessionId: string): Promise<void> {
    await this.#end((held) => held.sessionId === sessionId);
  }

  /** Has a server end with the agents. */
  endsWith(server: { close(): Promise<void> }): void {
    this.#servers.push(server);
  }

  /** Ends the actions of all agents, so that their robots come to rest, then all connections. No agent is created after this. */
  async endAll(): Promise<void> {
    this.#isEnded = true;
    await this.#end(() => true);
    await Promise.all(this.#servers.map((server) => server.close()));
  }

  #makeRoom(accountId: string): void {
    const own = [...this.#all.values()].filter((held) => held.accountId === accountId);
    if (own.length < AGENTS_OF_ACCOUNT_MAX) return;
    const oldest = own.find(({ openCalls }) => openCalls === 0);
    if (oldest === undefined) throw ServiceError.accountLimit('waiting_commands', AGENTS_OF_ACCOUNT_MAX);
    void this.#end((held) => held === oldest);
  }

  #endIdle(nowMs: number): void {
    void this.#end(({ usedMs, openCalls }) => openCalls === 0 && nowMs - usedMs > IDLE_MS);
  }

  async #end(isOver: (held: HeldAgent) => boolean): Promise<void> {
    const ending = [...this.#all].filter(([, held]) => isOver(held));
    for (const [key] of ending) this.#all.delete(key);
    await Promise.all(ending.map(([, { agent }]) => agent.end()));
  }
}
