/**
 * Checks every reply that a test gets against what existing clients read, and counts it. Throws on a reply that such a
 * client would refuse, and remembers it for a test in another place ({@link takeProblems}). Also runs in a browser's worker.
 */
import { type HttpAnswer, hasModel, httpAnswerProblems } from './http-judge.ts';
import { rpcReplyProblems } from './rpc-judge.ts';

/** The number of replies that passed. */
export interface ReplyCounts {
  http: number;
  rpc: number;
}

const counts: ReplyCounts = { http: 0, rpc: 0 };
const problems: string[] = [];

/** @returns the parsed reply @throws if a client would refuse it, with path and value */
// biome-ignore lint/suspicious/noExplicitAny: replies of all methods, which each test checks further.
export function checkRpcReply(method: string, text: string): any {
  const reply: unknown = JSON.parse(text);
  settle('rpc', `the reply to ${method}`, rpcReplyProblems(method, reply));
  return reply;
}

/** Skips addresses without a model (a page, the metrics). @throws as above */
export function checkHttpAnswer(answer: HttpAnswer): void {
  if (!hasModel(answer)) return;
  settle('http', `${answer.method} ${answer.path}, status ${answer.status}`, httpAnswerProblems(answer));
}

function settle(kind: keyof ReplyCounts, what: string, found: string[]): void {
  if (found.length === 0) {
    counts[kind] += 1;
    return;
  }
  const message = `An existing client refuses ${what}: ${found.join('; ')}`;
  problems.push(message);
  throw new Error(message);
}

/** Returns the problems found since the last time. */
export const takeProblems = (): string[] => problems.splice(0);

/** Returns how many replies passed in this process. */
export const countsNow = (): Readonly<ReplyCounts> => ({ ...counts });

/** Returns how many replies passed, and resets the count to 0. */
export function takeCounts(): ReplyCounts {
  const taken = { ...counts };
  counts.http = 0;
  counts.rpc = 0;
  return taken;
}

export const sentenceOf = ({ http, rpc }: ReplyCounts): string =>
  `${http + rpc} replies passed the client models (HTTP ${http}, RPC ${rpc})`;
