/**
 * Every reply that a test gets passes here: it is held against what existing clients read, and counted. A reply that such a client would
 * refuse throws, and is remembered for a test that is not where the reply came ({@link takeProblems}). Runs in a browser's worker, too.
 */
import { type HttpAnswer, hasModel, httpAnswerProblems } from './http-judge.ts';
import { rpcReplyProblems } from './rpc-judge.ts';

/** Replies that passed. */
export interface ReplyCounts {
  http: number;
  rpc: number;
}

const counts: ReplyCounts = { http: 0, rpc: 0 };
const problems: string[] = [];

/** @returns the reply, read @throws when a client would refuse it, with path and value */
// biome-ignore lint/suspicious/noExplicitAny: replies of all methods, which each test judges on.
export function checkRpcReply(method: string, text: string): any {
  const reply: unknown = JSON.parse(text);
  settle('rpc', `the reply to ${method}`, rpcReplyProblems(method, reply));
  return reply;
}

/** Addresses without a model (a page, the figures) are left out of account. @throws as above */
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

/** The same, and begins to count anew. */
export function takeCounts(): ReplyCounts {
  const taken = { ...counts };
  counts.http = 0;
  counts.rpc = 0;
  return taken;
}

export const sentenceOf = ({ http, rpc }: ReplyCounts): string =>
  `${http + rpc} replies passed the client models (HTTP ${http}, RPC ${rpc})`;
