import type { ActionBook } from './action-book.ts';
import type { RobotAccess } from './robot-access.ts';
import { isFailure, type ReadFailure, type RobotFacts, readOr } from './robot-facts.ts';
import { idText } from './sentences.ts';

/** An action that a later one has replaced. */
export interface ReplacedAction {
  action_id: string;
  /** The tool that started it, or the skill for an action of another caller. */
  name: string;
}

/** Returns the actions that a new one may replace: those of this client, and the one that the robot reports. */
export function otherActions(book: ActionBook, actionId: string, before: RobotFacts | ReadFailure): ReplacedAction[] {
  const own = book.running().map(({ id, tool }) => ({ action_id: id, name: tool }));
  const active = isFailure(before) ? null : before.active;
  const reported = active ? [{ action_id: active.action_id, name: active.name }] : [];
  const others = [...own, ...reported].filter(({ action_id: id }) => id !== actionId && !actionId.startsWith(`${id}.`));
  return others.filter(({ action_id: id }, at) => others.findIndex((other) => other.action_id === id) === at);
}

/** Returns those of these actions that ended because this one replaced them. Never rejects. */
export async function replacedBy(
  robot: RobotAccess,
  actionId: string,
  others: readonly ReplacedAction[],
): Promise<ReplacedAction[]> {
  const replaced: ReplacedAction[] = [];
  for (const other of others) {
    const reply = await readOr(robot, 'runtime.action', { action_id: other.action_id });
    if (isFailure(reply) && reply.details?.superseded_by === actionId) replaced.push(other);
  }
  return replaced;
}

export const replacedText = (replaced: readonly ReplacedAction[]): string[] =>
  replaced.map(
    ({ action_id: id, name }) => `This replaced ${name} (action ${idText(id)}), which has ended: wait returns its result.`,
  );
