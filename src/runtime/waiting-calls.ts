import * as errors from '../protocol/texts/error-texts.ts';
import { type Caller, callerKey } from '../protocol/wire/caller.ts';
import { JOINED_CALLS_MAX } from '../protocol/wire/limits.ts';
import { encodeGuard } from './reply.ts';

/** The calls that wait for the end of one action: the call that began it, repeats of it, and calls that cancel it. */
export interface WaitingCalls {
  readonly replies: ((text: string) => void)[];
  /** The number of them for each caller, by its key. */
  readonly ofCaller: Map<string, number>;
}

/** Returns a runtime for which no call waits. */
export const createWaitingCalls = (): WaitingCalls => ({ replies: [], ofCaller: new Map() });

/** An action that calls wait for. */
interface Awaited {
  readonly actionId: string;
  readonly name: string;
  readonly waiting: WaitingCalls;
}

/** Lets a call wait for the end of an action; refuses it at once when the same caller has too many waiting. */
export function awaitEnd({ actionId, name, waiting }: Awaited, caller: Caller, reply: (text: string) => void): void {
  const key = callerKey(caller);
  const own = waiting.ofCaller.get(key) ?? 0;
  if (own >= JOINED_CALLS_MAX) {
    reply(encodeGuard(errors.tooManyJoined(name, actionId)));
    return;
  }
  waiting.ofCaller.set(key, own + 1);
  waiting.replies.push(reply);
}
