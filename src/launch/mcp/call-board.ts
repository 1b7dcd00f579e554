import type { CallEvent } from '../../agent-tools/agent.ts';
import { CALLS_SHOWN_MAX, type CallState, type SeenCall } from '../../protocol/agent-watch.ts';
import { isRecord } from '../../protocol/schema-texts.ts';
import { clipped, shownLine } from '../../protocol/shown-text.ts';

const ASKED_MAX_CHARS = 300;
const SAID_MAX_CHARS = 900;
const DEPTH_MAX = 4;
const ITEMS_MAX = 20;

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
      const { number } = event;
      const before = calls.find((call) => call.number === number);
      if (event.kind === 'ended' && !before) return;
      const call: SeenCall =
        event.kind === 'started' || !before
          ? {
              number,
              tool: clipped(shownLine(event.tool), 80),
              asked: event.kind === 'started' ? askedWords(event.input) : '',
              state: 'running',
              said: null,
              startedAtMs: nowMs(),
              tookMs: null,
            }
          : {
              ...before,
              state: stateOf(event.reply),
              said: clipped(shownLine(event.reply.said), SAID_MAX_CHARS),
              tookMs: Math.max(0, nowMs() - before.startedAtMs),
            };
      calls = [...calls.filter((other) => other.number !== number), call].toSorted((a, b) => a.number - b.number);
      calls = calls.slice(-CALLS_SHOWN_MAX);
      onChange(call);
    },
    get calls() {
      return calls;
    },
  };
}

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
