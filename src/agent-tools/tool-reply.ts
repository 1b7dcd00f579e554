import type { Failure } from './failures.ts';

/** A picture for a model, with its facts in the same reply. */
export interface ReplyPicture {
  jpeg: Uint8Array;
}

/**
 * The reply of a tool. `said` and `facts` state the same, because some clients show only one of them to the model.
 */
export interface ToolReply {
  /** One sentence or two that can be understood alone. */
  said: string;
  facts: Readonly<Record<string, unknown>>;
  isError: boolean;
  picture?: ReplyPicture;
}

export const done = (said: string, facts: object = {}): ToolReply => ({ said, facts: { said, ...facts }, isError: false });

/**
 * Returns the reply of a tool that did nothing.
 * @param code as programs compare it
 * @param message what is wrong, and what to do if there is no hint
 * @param hint what to do next; it follows the message
 */
export function refused(code: string, message: string, hint?: string): ToolReply {
  const said = hint === undefined ? message : `${message} ${hint}`;
  const facts = { status: 'failed', said, code, attempted: false, world_changed: 'no', ...(hint ? { hint } : {}) };
  return { said, facts, isError: true };
}

/** Returns the reply of a tool that the robot refused. @param before words in front of the sentence, with a space at the end */
export function failed({ code, text, hint }: Failure, before = ''): ToolReply {
  const said = `${before}${text}`;
  const facts = { status: 'failed', said, code, attempted: false, world_changed: 'no', ...(hint ? { hint } : {}) };
  return { said, facts, isError: true };
}
