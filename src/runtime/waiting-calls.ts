import { type Caller, callerKey } from '../protocol/caller.ts';
import * as errors from '../protocol/error-texts.ts';
import { JOINED_CALLS_MAX } from '../protocol/limits.ts';
import type { ActiveEntry } from './action-entry.ts';
import { encodeGuard } from './reply.ts';

/** The calls that wait for the end of one action: the one it began with, repeats of it, and those that cancel it. */
export interface WaitingCalls {
  readonly replies: ((text: string) => void)[];
  /** How many of them are each caller's, by its key. */
  readonly ofCaller: Map<string, number>;
}

export const createWaitingCalls = (): WaitingCalls => ({ replies: [], ofCaller: new Map() });

/** Lets a call wait for the end of an action; one too many of the same caller is told so at once. */
export function awaitEnd({ actionId, name, waiting }: ActiveEntry, caller: Caller, reply: (text: string) => void): void {
  const key = callerKey(caller);
  const own = waiting.ofCaller.get(key) ?? 0;
  if (own >= JOINED_CALLS_MAX) {
    reply(encodeGuard(errors.tooManyJoined(name, actionId)));
    return;
  }
  waiting.ofCaller.set(key, own + 1);
  waiting.replies.push(reply);
}
