/** The stream by which a page shows an agent's robot that runs in a process of this machine, without a room. */

/** The page, and its stream of server-sent events, relative to the address of the process. */
export const AGENT_PAGE = 'agent.html';
export const AGENT_STREAM = 'agent-stream';

/** The id of the robot, by which the page recognises it. */
export const AGENT_ROBOT_ID = 'agent-robot';

/** The number of calls that a process keeps, and a page shows. */
export const CALLS_SHOWN_MAX = 100;

/** The state of a call. `continues`: the call was answered before its action ended. */
export type CallState = 'running' | 'done' | 'failed' | 'continues';

/** A step of a plan, as people read it. */
export interface SeenStep {
  tool: string;
  /** Its target, or its arguments in words. */
  asked: string;
  state: 'planned' | 'running' | 'done' | 'failed';
  /** The sentence of its reply; null before its end. */
  said: string | null;
}

/** A call of the agent, as people read it. Its texts are on one line and without invisible characters. */
export interface SeenCall {
  /** Rises by one with each call. */
  number: number;
  tool: string;
  /** The arguments in words; empty without any, and for a plan, whose steps have them. */
  asked: string;
  /** The steps of a plan; empty for other calls. */
  steps: readonly SeenStep[];
  state: CallState;
  /** The sentence of the reply; null while the call runs. */
  said: string | null;
  /** Milliseconds since the epoch. */
  startedAtMs: number;
  tookMs: number | null;
}

/** The agent, as its client introduces itself. */
export interface SeenAgent {
  /** Null before the first call. */
  name: string | null;
}

/** The world that the stream shows. */
export interface SeenWorld {
  /** When the world began: milliseconds since the epoch. It identifies the world. */
  startedAtMs: number;
  /** The task in words; null without a task. */
  instruction: string | null;
  /** The text of the scene's file, for a scene that the product does not have. */
  sceneFile: string | null;
}

/** The events of the stream, each with its data. A packet of the world is in Base64; all others are JSON. */
export interface AgentStreamEvents {
  agent: SeenAgent;
  world: SeenWorld;
  call: SeenCall;
  packet: string;
  /** The process ends, and the robot with it. */
  end: null;
}
