import { z } from 'zod';
import { shownName } from '../../common/shown-text.ts';
import { issueText } from '../sentences.ts';
import { actionTool, MOVES, type Tool } from '../tool.ts';
import { refused, type ToolReply } from '../tool-reply.ts';
import { MOTION_TOOLS } from './motions.ts';

const STEPS_MAX = 20;
const NAMES = MOTION_TOOLS.map(({ name }) => name) as [string, ...string[]];

/** `run_plan`. */
export const runPlan = actionTool({
  name: 'run_plan',
  title: 'Run several motions',
  description: `Runs up to ${STEPS_MAX} motions one after another, and ends at the first that fails. Returns the result of each step. Saves calls; use it when you know the ids.`,
  hints: MOVES,
  input: z.strictObject({
    steps: z
      .array(
        z.strictObject({
          tool: z.enum(NAMES),
          input: z.record(z.string(), z.unknown()).default({}).describe('the arguments of that tool'),
        }),
      )
      .min(1)
      .max(STEPS_MAX),
  }),
  async act(context, { steps }, actionId, stop, onStep) {
    const parsed = steps.map(({ tool, input }) => {
      const found = MOTION_TOOLS.find(({ name }) => name === tool) as Extract<Tool, { kind: 'action' }>;
      const read = found.input.safeParse(input);
      const problem = read.success ? (found.problem?.(read.data) ?? null) : null;
      return { found, read, problem };
    });
    // Nothing moves unless every step can be carried out as written.
    const wrong = parsed.findIndex(({ read, problem }) => !read.success || problem !== null);
    const first = parsed[wrong];
    if (first) {
      const issue = first.read.error?.issues[0];
      const where = shownName(['steps', wrong, 'input', ...(issue?.path ?? [])].join('.'));
      const message = issue ? `${issueText(issue)}.` : first.problem;
      return refused('INVALID_INPUT', `${where}: ${message} No step was run.`);
    }
    const replies: ToolReply[] = [];
    for (const [at, { found, read }] of parsed.entries()) {
      if (stop.aborted) return planReply(actionId, steps.length, replies, true);
      onStep({ at, reply: null });
      const reply = await found.act(context, read.data, `${actionId}.${at + 1}`, stop, onStep);
      onStep({ at, reply });
      replies.push(reply);
      if (reply.isError) break;
    }
    return planReply(actionId, steps.length, replies, stop.aborted);
  },
});

function planReply(actionId: string, planned: number, replies: ToolReply[], isStopped: boolean): ToolReply {
  const last = replies.at(-1);
  const isDone = replies.length === planned && last?.isError === false;
  const count = replies.filter(({ isError }) => !isError).length;
  const head = isDone
    ? `All ${planned} steps are done.`
    : isStopped
      ? `The plan was stopped after ${count} of ${planned} steps.`
      : `The plan ended at step ${replies.length} of ${planned}.`;
  const said = [head, ...replies.map((reply, at) => `${at + 1}. ${reply.said}`)].join(' ');
  const { code = 'CANCELLED' } = (last?.facts ?? {}) as { code?: string };
  const facts = {
    ...last?.facts,
    status: isDone ? 'done' : 'failed',
    said,
    action_id: actionId,
    ...(isDone ? {} : { code }),
    attempted: replies.some(({ facts }) => facts.attempted === true),
    world_changed: replies.some(({ facts }) => facts.world_changed === 'yes') ? 'yes' : (last?.facts.world_changed ?? 'no'),
    steps_done: count,
    steps_planned: planned,
    steps: replies.map(({ facts: { held: _held, pose: _pose, driver: _driver, ...rest } }) => rest),
  };
  return { said, facts, isError: !isDone };
}
