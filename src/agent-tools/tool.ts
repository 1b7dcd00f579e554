import type { z } from 'zod';
import type { BookedAction } from './action-book.ts';
import type { AgentContext } from './agent-context.ts';
import type { ToolReply } from './tool-reply.ts';

/** The hints of the Model Context Protocol about a tool. */
export interface ToolHints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

interface ToolText {
  name: string;
  title: string;
  description: string;
  hints: ToolHints;
}

/** A tool that answers at once, or waits without moving the robot. */
export interface AnswerTool<I extends z.ZodObject = z.ZodObject> extends ToolText {
  kind: 'answer';
  input: I;
  /** It ends all motion, so it waits for nothing, and no motion that was called before may begin after it. @default false */
  isStop?: boolean;
  /**
   * @param signal fires when the client does not wait any more
   * @param reports notes that the reply states the end of this action: a client that has the reply knows it
   */
  answer(
    context: AgentContext,
    input: z.output<I>,
    signal: AbortSignal,
    reports: (action: BookedAction) => void,
  ): Promise<ToolReply>;
}

/** A tool that moves the robot or changes its world. The same call never runs twice. */
export interface ActionTool<I extends z.ZodObject = z.ZodObject> extends ToolText {
  kind: 'action';
  /** Without `action_id`, which every action has. */
  input: I;
  /** Returns what is wrong with an input that has the right shape; null if nothing. */
  problem?(input: z.output<I>): string | null;
  /**
   * @param stop fires when the action must end
   * @param onStep learns of each step of an action that has several
   */
  act(
    context: AgentContext,
    input: z.output<I>,
    actionId: string,
    stop: AbortSignal,
    onStep: (step: ActionStep) => void,
  ): Promise<ToolReply>;
}

/** A step of an action that begins, or has ended. */
export interface ActionStep {
  /** From 0. */
  at: number;
  /** Null at the beginning. */
  reply: ToolReply | null;
}

// biome-ignore lint/suspicious/noExplicitAny: a table holds tools of every input; each is called with its own parsed input.
export type Tool = AnswerTool<any> | ActionTool<any>;

/** Keeps the exact type of a tool's input. */
export const answerTool = <I extends z.ZodObject>(tool: Omit<AnswerTool<I>, 'kind'>): AnswerTool<I> => ({
  kind: 'answer',
  ...tool,
});
export const actionTool = <I extends z.ZodObject>(tool: Omit<ActionTool<I>, 'kind'>): ActionTool<I> => ({
  kind: 'action',
  ...tool,
});

/** The hints of a tool that only reads. */
export const READS: ToolHints = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
/** The hints of a tool that moves the robot: a repeated call moves it again. */
export const MOVES: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
