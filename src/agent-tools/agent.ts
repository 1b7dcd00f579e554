import type { z } from 'zod';
import { shownName } from '../common/shown-text.ts';
import { ActionBook, type BookedAction } from './action-book.ts';
import type { AgentContext } from './agent-context.ts';
import { boundedRobot } from './bounded-robot.ts';
import { inputOf, TOOLS } from './catalogue.ts';
import { runningReply } from './motion.ts';
import { PHYSICAL_TOOLS } from './physical-drive.ts';
import { isFailure, readRobot } from './robot-facts.ts';
import { idText, issueText } from './sentences.ts';
import type { ActionStep, ActionTool, AnswerTool } from './tool.ts';
import { refused, type ToolReply } from './tool-reply.ts';
import { within } from './within.ts';

/** Reports progress of a call that waits. @param elapsedS rises */
export type OnProgress = (elapsedS: number, message: string) => void;

export interface CallOptions {
  /** Fires when the client cancels the call, or does not wait for it any more: the action ends and the robot stops. */
  signal: AbortSignal;
  onProgress?: OnProgress | undefined;
  /**
   * Whether the signal fires only if the client itself cancelled, so that the same call is a new action afterwards. If it also
   * fires when a connection broke, the repeated call learns the end of the first.
   */
  isCancelKnown?: boolean;
}

/** A reply, and the means to note that the client has it. */
export interface AnsweredCall {
  reply: ToolReply;
  /** Notes that the client received the reply: the same call is a new action from then on. */
  delivered(): void;
  /** Takes that back: the client closed its connection without reading. Absent for replies that are not kept. */
  lost?(): void;
}

/** An action of the client. */
export interface TimelineEntry {
  action_id: string;
  tool: string;
  status: unknown;
  /** The sentence of the reply; null while the action runs. */
  said: string | null;
}

/**
 * A call of the client, for people who watch. `number` rises by one with each call. Steps belong to the call that started the
 * action, and may follow its end.
 */
export type CallEvent =
  | { kind: 'started'; number: number; tool: string; input: unknown }
  | { kind: 'step'; number: number; step: ActionStep }
  | { kind: 'ended'; number: number; tool: string; reply: ToolReply };

/** Observes the calls of a client. It cannot change them, and an error that it throws changes nothing. */
export type OnCall = (event: CallEvent) => void;

/** The tools of one client, over one robot. */
export interface Agent {
  /** Calls a tool. Never rejects. @param input as the client sent it */
  call(tool: string, input: unknown, options: CallOptions): Promise<AnsweredCall>;
  /** Returns the question that a person must answer before this tool moves the robot; null if no answer is needed. */
  question(tool: string): Promise<string | null>;
  /** Notes that a person has allowed motions. */
  allowMotion(): void;
  /** Returns what this client did, newest first. */
  timeline(): TimelineEntry[];
  /** Ends the running actions of this client, and waits a limited time until the robot has confirmed their ends. */
  end(): Promise<void>;
}

/** Clients give up after 60 s, and must receive a reply before. */
const ANSWER_MAX_MS = 45_000;
/** The longest wait, and the reads after it. */
const LOOK_MAX_MS = 52_000;
const TIMELINE_MAX = 50;
/** From full speed the base stands within 1.5 s. */
const END_MAX_MS = 3_000;
const PROGRESS_EVERY_MS = 1_500;
const PROGRESS_MAX_CHARS = 200;

/**
 * Creates the tools of one client.
 * @param parts `onCall`: observes each call, including those that are refused
 * @param book for a place that keeps fewer actions
 */
export function createAgent(
  { onCall, ...parts }: Omit<AgentContext, 'book'> & { onCall?: OnCall },
  book = new ActionBook(),
): Agent {
  let calls = 0;
  let stops = 0;
  const robot = boundedRobot(parts.robot, parts.clock);
  const context: AgentContext = { ...parts, book, robot };
  const { clock } = context;
  let isAllowed = false;

  function start(
    tool: ActionTool,
    input: z.output<z.ZodObject>,
    { key, id, number }: { key: string; id: string; number: number },
  ): BookedAction {
    const onStep = (step: ActionStep): void => observe({ kind: 'step', number, step });
    const stopping = new AbortController();
    const action: BookedAction = {
      id,
      tool: tool.name,
      key,
      startedMs: clock.nowMs(),
      ended: null,
      isDelivered: false,
      waiting: 0,
      stop: () => stopping.abort(),
      reply: Promise.resolve()
        .then(() => tool.act(context, input, id, stopping.signal, onStep))
        .catch((thrown) => refused('INTERNAL', thrown instanceof Error ? thrown.message : String(thrown)))
        .then((reply) => {
          action.ended = reply;
          return reply;
        }),
    };
    book.add(action);
    return action;
  }

  /** Waits for the end of an action, for as long as the client and its limits allow. */
  async function follow(action: BookedAction, { signal, onProgress, isCancelKnown }: CallOptions): Promise<AnsweredCall> {
    action.waiting += 1;
    const over = new AbortController();
    report(action, onProgress, AbortSignal.any([over.signal, signal]));
    const reply = action.ended ?? (await within(action.reply, ANSWER_MAX_MS, context, signal));
    action.waiting -= 1;
    // No progress may follow the result.
    over.abort();
    const delivered = (): void => {
      action.isDelivered = true;
    };
    if (signal.aborted && action.waiting === 0 && action.ended === null) {
      action.stop();
      if (isCancelKnown) delivered();
    }
    const lost = (): void => {
      action.isDelivered = false;
    };
    if (reply !== null) return { reply, delivered, lost };
    const facts = await readRobot(robot);
    return { reply: runningReply(action.id, action.tool, isFailure(facts) ? null : facts), delivered: () => undefined };
  }

  /** Calls a tool that answers, for as long as clients wait. */
  async function look(tool: AnswerTool, input: z.output<z.ZodObject>, options: CallOptions): Promise<AnsweredCall> {
    const { signal, onProgress } = options;
    const reported: BookedAction[] = [];
    const over = new AbortController();
    report({ tool: tool.name, startedMs: clock.nowMs() }, onProgress, AbortSignal.any([over.signal, signal]));
    const answer = Promise.resolve()
      .then(() => tool.answer(context, input, signal, (action) => reported.push(action)))
      .catch((thrown: unknown) => refused('INTERNAL', thrown instanceof Error ? thrown.message : String(thrown)));
    const reply = await within(answer, LOOK_MAX_MS, context);
    over.abort();
    return {
      reply: reply ?? refused('NO_ANSWER', `The robot did not answer ${tool.name} in time.`, 'Call robot_status.'),
      delivered() {
        for (const action of reported) action.isDelivered = true;
      },
    };
  }

  /** Reports progress until `over` fires. A client that cannot receive it receives the result. */
  function report(call: Pick<BookedAction, 'tool' | 'startedMs'>, onProgress: OnProgress | undefined, over: AbortSignal): void {
    if (onProgress) void reportUntil(call, onProgress, over).catch(() => undefined);
  }

  async function reportUntil(
    action: Pick<BookedAction, 'tool' | 'startedMs'>,
    onProgress: OnProgress,
    over: AbortSignal,
  ): Promise<void> {
    for (;;) {
      await clock.pause(PROGRESS_EVERY_MS, over);
      if (over.aborted) return;
      const facts = await readRobot(robot);
      if (over.aborted) return;
      const active = isFailure(facts) ? null : facts.active;
      const rest = active?.progress;
      const share = rest ? `, ${rest.current.toFixed(1)} of ${rest.total.toFixed(1)} ${rest.unit}` : '';
      const message = active ? `${active.name}: ${active.phase}${share}` : `${action.tool} is under way`;
      onProgress((clock.nowMs() - action.startedMs) / 1_000, message.slice(0, PROGRESS_MAX_CHARS));
    }
  }

  function observe(event: CallEvent): void {
    try {
      onCall?.(event);
    } catch {
      // An observer must not change a call.
    }
  }

  async function answer(name: string, given: unknown, options: CallOptions, number: number): Promise<AnsweredCall> {
    const answered = (reply: ToolReply): AnsweredCall => ({ reply, delivered: () => undefined });
    const tool = TOOLS.find((known) => known.name === name);
    if (tool === undefined) {
      const names = TOOLS.map((known) => known.name).join(', ');
      return answered(refused('UNKNOWN_TOOL', `There is no tool ${idText(name)}. There are: ${names}.`));
    }
    const stopsBefore = stops;
    const read = inputOf(tool).safeParse(given ?? {});
    if (!read.success) return answered(refused('INVALID_INPUT', problemText(read.error, tool.name)));
    if (tool.kind === 'answer' && tool.isStop) stops += 1;
    else await robot.meet();
    if (tool.kind === 'answer') {
      return look(tool, read.data, options);
    }
    if (robot.profile === 'worker') {
      if (!PHYSICAL_TOOLS.includes(name)) return answered(refused('PERMISSION_DENIED', NOT_PHYSICAL));
      if (!isAllowed) return answered(refused('PERMISSION_DENIED', NOT_ALLOWED));
    }
    const problem = tool.problem?.(read.data) ?? null;
    if (problem !== null) return answered(refused('INVALID_INPUT', `${tool.name}: ${problem}`));
    const { action_id: givenId, ...input } = read.data as Record<string, unknown> & { action_id?: string };
    const key = `${tool.name} ${JSON.stringify(input)}`;
    const known = givenId === undefined ? book.joined(key) : book.byId(givenId);
    if (known && known.key !== key) {
      const message = `The action_id ${idText(givenId)} was used for another call. Use a new one.`;
      return answered(refused('DUPLICATE_ACTION', message));
    }
    if (known === null && options.signal.aborted) {
      return answered(refused('CANCELLED', 'The call was cancelled before it began. Nothing moved.'));
    }
    if (known === null && stops !== stopsBefore) {
      return answered(refused('CANCELLED', 'A stop came before the motion began. Nothing moved.'));
    }
    return follow(known ?? start(tool, input, { key, id: givenId ?? context.newId(), number }), options);
  }

  return {
    async call(tool, input, options) {
      calls += 1;
      const number = calls;
      observe({ kind: 'started', number, tool, input });
      const answered = await answer(tool, input, options, number);
      observe({ kind: 'ended', number, tool, reply: answered.reply });
      return answered;
    },
    async question(tool) {
      if (isAllowed || !PHYSICAL_TOOLS.includes(tool)) return null;
      await robot.meet();
      return robot.profile === 'worker' ? QUESTION : null;
    },
    allowMotion() {
      isAllowed = true;
    },
    timeline: () =>
      book.newest(TIMELINE_MAX).map(({ id, tool, ended }) => ({
        action_id: id,
        tool,
        status: ended?.facts.status ?? 'running',
        said: ended?.said ?? null,
      })),
    async end() {
      const running = book.running();
      for (const action of running) action.stop();
      const ended = Promise.all(running.map(({ reply }) => reply));
      await within(ended, END_MAX_MS, context);
    },
  };
}

const NOT_PHYSICAL =
  "This robot keeps the physical robot's contract, which has no skill for this. These tools can drive it, stop it and read its state.";
const NOT_ALLOWED =
  'A person must allow the first motion of this robot, and has not. The agent client must be able to ask its user; "simplesim mcp --room" also has the option --allow-motion.';
const QUESTION =
  "May this agent move the robot? It keeps the physical robot's contract: people, cables and edges near it are not simulated.";

/** Returns the first problem of an input, with its place and the accepted values. */
function problemText(error: z.ZodError, tool: string): string {
  const [issue] = error.issues;
  const where = issue && issue.path.length > 0 ? `"${shownName(issue.path.join('.'))}" is` : 'the arguments are';
  return `${tool}: ${where} not valid: ${issue ? issueText(issue) : 'unreadable'}. Read the schema of the tool, then call it again.`;
}
