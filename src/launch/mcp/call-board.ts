import type { CallEvent } from '../../agent-tools/agent.ts';
import { isRecord } from '../../common/schema-texts.ts';
import { clipped, shownLine } from '../../common/shown-text.ts';
import { CALLS_SHOWN_MAX, type CallState, type SeenCall, type SeenStep } from '../../protocol/service/agent-watch.ts';

const ASKED_MAX_CHARS = 300;
const SAID_MAX_CHARS = 900;
const STEP_SAID_MAX_CHARS = 300;
const DEPTH_MAX = 4;
const ITEMS_MAX = 20;
const PLAN = 'run_plan';

/** The calls of an agent, as people read them: the newest of them, in their order. */
export interface CallBoard {
  /** Takes an event of the agent. */
  note(event: CallEvent): void;
  readonly calls: readonly SeenCall[];
}

/** @param onChange receives each call when it starts and when it ends @param nowMs milliseconds since the epoch */
export function createCallBoard(onChange: (call: SeenCall) => void, nowMs: () => number): CallBoard {
  let calls: SeenCall[] = [];
  return {
    note(event) {
      const before = calls.find(({ number }) => number === event.number);
      const call = event.kind === 'started' ? startedCall(event, nowMs()) : before && nextCall(before, event, nowMs());
      if (!call) return;
      calls = [...calls.filter(({ number }) => number !== call.number), call].toSorted((a, b) => a.number - b.number);
      calls = calls.slice(-CALLS_SHOWN_MAX);
      onChange(call);
    },
    get calls() {
      return calls;
    },
  };
}

function startedCall({ number, tool, input }: Extract<CallEvent, { kind: 'started' }>, nowMs: number): SeenCall {
  const steps =
    tool === PLAN && isRecord(input) && Array.isArray(input.steps) ? input.steps.slice(0, ITEMS_MAX).map(planned) : [];
  const asked = steps.length > 0 ? '' : askedWords(input);
  return { number, tool: toolText(tool), asked, steps, state: 'running', said: null, startedAtMs: nowMs, tookMs: null };
}

/** Returns a call after one of its steps, or after its end. */
function nextCall(before: SeenCall, event: Exclude<CallEvent, { kind: 'started' }>, nowMs: number): SeenCall {
  const tookMs = Math.max(0, nowMs - before.startedAtMs);
  if (event.kind === 'ended') {
    const { steps: ended } = event.reply.facts;
    // A call that joined the plan of another learns its steps from the reply.
    const steps = Array.isArray(ended) ? before.steps.map((step, at) => afterReply(step, ended[at])) : before.steps;
    return { ...before, steps, state: stateOf(event.reply), said: clipped(shownLine(event.reply.said), SAID_MAX_CHARS), tookMs };
  }
  const { at, reply } = event.step;
  const steps = before.steps.map((step, index): SeenStep => {
    if (index !== at) return step;
    return reply === null ? { ...step, state: 'running' } : afterReply(step, reply.facts);
  });
  if (before.state !== 'continues' || reply === null) return { ...before, steps };
  // The call was answered before the end of its plan.
  if (reply.isError) return { ...before, steps, state: 'failed', tookMs };
  return at === steps.length - 1 ? { ...before, steps, state: 'done', tookMs } : { ...before, steps };
}

/** @param facts of the reply of the step; anything else if it was not run */
function afterReply(step: SeenStep, facts: unknown): SeenStep {
  if (!isRecord(facts)) return step;
  const said = clipped(shownLine(String(facts.said ?? '')), STEP_SAID_MAX_CHARS);
  return { ...step, state: facts.status === 'failed' ? 'failed' : 'done', said };
}

/** @param given as the client sent it */
function planned(given: unknown): SeenStep {
  const { tool, input } = isRecord(given) ? given : {};
  const [only, ...others] = isRecord(input) ? Object.values(input) : [];
  const asked = typeof only === 'string' && others.length === 0 ? clipped(shownLine(only), ASKED_MAX_CHARS) : askedWords(input);
  return { tool: toolText(typeof tool === 'string' ? tool : ''), asked, state: 'planned', said: null };
}

const toolText = (tool: string): string => clipped(shownLine(tool), 80);

const stateOf = ({ isError, facts }: { isError: boolean; facts: Readonly<Record<string, unknown>> }): CallState =>
  isError ? 'failed' : facts.status === 'running' ? 'continues' : 'done';

/** Returns the arguments of a call as text: `to: "cube_0", within_s: 20`. The client may have sent any value. */
function askedWords(input: unknown): string {
  const shown = isRecord(input) ? pairs(input, 1) : input === undefined || input === null ? '' : valueText(input, 1);
  return clipped(shownLine(shown), ASKED_MAX_CHARS);
}

const pairs = (record: Record<string, unknown>, depth: number): string =>
  Object.entries(record)
    .slice(0, ITEMS_MAX)
    .map(([name, value]) => `${name}: ${valueText(value, depth)}`)
    .join(', ');

function valueText(value: unknown, depth: number): string {
  if (typeof value === 'string') return `"${clipped(value, ASKED_MAX_CHARS)}"`;
  if (typeof value !== 'object' || value === null) return String(value);
  if (depth >= DEPTH_MAX) return '…';
  if (Array.isArray(value)) {
    const shown = value.slice(0, ITEMS_MAX).map((item) => valueText(item, depth + 1));
    return `[${shown.join('; ')}]`;
  }
  return `(${pairs(value as Record<string, unknown>, depth + 1)})`;
}
