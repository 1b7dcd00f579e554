import type { DifferenceTitle } from '../../scripts/docs/contract-differences.ts';
import { type Found, isOfNone, isOfOne, type Question } from './battery.ts';

/** Where a difference that the guide names appears in the answers to the battery. */
export interface Explanation {
  /** The row of docs/reference/contracts.md, and the difference of differences.ts. */
  title: DifferenceTitle;
  /** Returns whether this is one of its places. The order of both values matters: the reverse is not explained. */
  covers(found: Found): boolean;
}

const isTools = ({ method }: Question): boolean => method === 'runtime.tools_call';
const isVelocity = ({ question }: Found): boolean => isTools(question) && question.skill === 'set_velocity';
const codes = ({ outcomes: { simulator, worker } }: Found) => ({
  simulator: codeOf(simulator.reply),
  worker: codeOf(worker.reply),
});
const codeOf = (reply: { status?: string; error?: { code: string } } | null): string =>
  reply === null ? 'no reply' : (reply.error?.code ?? reply.status ?? 'read');
/** Returns whether a path is under one of these names, before or after the two seconds. */
const isUnder = (path: string, ...names: string[]): boolean =>
  names.some((name) => [`atOnce.${name}`, `reply.${name}`].some((whole) => path === whole || path.startsWith(`${whole}.`)));
/** A whole action on the one side and nothing of the kind on the other. */
const isEnvelope = (path: string): boolean => path === 'atOnce' || isUnder(path, 'status', 'error', 'result', 'meta');
const inputOf = ({ payload }: Question): Record<string, unknown> => {
  try {
    const { input } = JSON.parse(payload) as { input?: unknown };
    return typeof input === 'object' && input !== null && !Array.isArray(input) ? (input as Record<string, unknown>) : {};
  } catch {
    return {};
  }
};
const optionsOf = ({ payload }: Question): Record<string, unknown> => {
  try {
    return ((JSON.parse(payload) as { options?: Record<string, unknown> | null }).options ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
};
const has = (question: Question, ...names: string[]): boolean => names.some((name) => Object.hasOwn(inputOf(question), name));
const isDriving = ({ situation }: Question): boolean => situation === 'driving' || situation === 'driving with a deadline';
/** Of the id under which the robot was set in motion. */
const isOfDrive = ({ payload }: Question): boolean => payload.includes('"action_id":"drive"');

export const EXPLANATIONS: readonly Explanation[] = [
  {
    title: 'Skills',
    covers: ({ question, path }) =>
      (question.method === 'runtime.tools_list' && !path.includes('additionalProperties')) ||
      (isOfNone(question.skill) && isUnder(path, 'error.message', 'error.details.problem', 'error.details.nearest')),
  },
  {
    title: '`additionalProperties` in the schemas of skills',
    covers: ({ question, path, simulator, worker }) =>
      question.method === 'runtime.tools_list' &&
      path.includes('additionalProperties') &&
      simulator === false &&
      worker === undefined,
  },
  {
    title: 'A skill of the other contract',
    covers: (found) =>
      isTools(found.question) && isOfOne(found.question.skill) && Object.values(codes(found)).includes('UNKNOWN_SKILL'),
  },
  {
    title: 'An unknown parameter',
    covers: (found) =>
      isVelocity(found) &&
      has(found.question, 'vyaw', 'colour', 'wz', 'duration_s') &&
      codes(found).simulator === 'INVALID_INPUT' &&
      (isEnvelope(found.path) || isUnder(found.path, 'velocity') || found.path === 'moves'),
  },
  {
    title: 'Name of the turning speed',
    covers: (found) =>
      isVelocity(found) &&
      has(found.question, 'wz') &&
      found.worker !== found.simulator &&
      (found.path === 'reply.meta.degraded' || (found.path === 'reply.velocity.turn' && found.worker === 0)),
  },
  {
    title: '5 s after a velocity with `duration_s: 0.5`',
    covers: (found) => isVelocity(found) && found.path === 'moves' && found.worker === true && found.simulator === false,
  },
  {
    title: 'Result of `set_velocity`',
    covers: (found) =>
      isVelocity(found) &&
      codes(found).simulator === 'done' &&
      isUnder(found.path, 'result.applied', 'result.moved', 'result.command', 'result.holds', 'meta.note'),
  },
  {
    title: 'Time of the reply to `set_velocity`',
    covers: (found) =>
      isVelocity(found) &&
      codes(found).worker === 'done' &&
      (found.path === 'atOnce' || isUnder(found.path, 'meta.finished_at_ms', 'meta.duration_ms')),
  },
  {
    title: '`deadline_s` of a velocity',
    covers: (found) =>
      isVelocity(found) &&
      Object.hasOwn(optionsOf(found.question), 'deadline_s') &&
      codes(found).worker === 'done' &&
      (found.path === 'reply.result.ends_at_ms' ||
        (codes(found).simulator === 'DEADLINE_EXCEEDED' && (isEnvelope(found.path) || isUnder(found.path, 'velocity')))),
  },
  {
    title: '`runtime.cancel` without an id while the robot drives',
    covers: (found) =>
      found.question.method === 'runtime.cancel' &&
      isDriving(found.question) &&
      codes(found).simulator === 'CANCELLED' &&
      codes(found).worker === 'ACTION_NOT_FOUND' &&
      (isEnvelope(found.path) || found.path === 'moves'),
  },
  {
    title: 'A running velocity in `runtime.state` and `runtime.action`',
    covers: ({ question, path, outcomes }) => {
      if (question.situation === 'standing') return false;
      switch (question.method) {
        case 'runtime.state':
          return isDriving(question)
            ? isUnder(path, 'runtime.status', 'runtime.active_action', 'runtime.last_action')
            : isUnder(path, 'runtime.last_action.finished_at_ms', 'runtime.last_action.duration_ms');
        case 'runtime.action':
        case 'runtime.tools_call':
          return question.method === 'runtime.action' || isOfDrive(question);
        default:
          // The profiles report an ended action differently.
          return (
            question.method === 'runtime.cancel' && isOfDrive(question) && outcomes.worker.reply?.error?.details?.ended === 'done'
          );
      }
    },
  },
  {
    title: 'A body without a report for 1 s',
    covers: (found) =>
      found.question.situation === 'without a report for a second' &&
      (codes(found).worker === 'NOT_READY' || isUnder(found.path, 'runtime.accepts_tool_calls')),
  },
  {
    title: 'After a freeze of the page or process',
    covers: (found) =>
      found.question.situation === 'just gone on after a freeze' &&
      (codes(found).worker === 'NOT_READY' || isUnder(found.path, 'runtime.accepts_tool_calls')),
  },
  {
    title: 'After a fault of the physics',
    covers: (found) =>
      found.question.situation === 'with broken physics' &&
      isTools(found.question) &&
      codes(found).worker === 'INTERNAL' &&
      isEnvelope(found.path),
  },
  {
    title: '`runtime.forward_envelope` without a trusted key',
    covers: ({ question, path }) =>
      question.method === 'runtime.forward_envelope' && isUnder(path, 'error.message', 'error.details.problem'),
  },
  {
    title: '`profile` in the manifest',
    covers: ({ question, path }) => question.method === 'runtime.manifest' && isUnder(path, 'profile', 'signed_control'),
  },
  {
    title: '`robot.extra.control` in the state',
    covers: ({ question, path, simulator }) =>
      question.method === 'runtime.state' && isUnder(path, 'robot.extra.control') && simulator === undefined,
  },
];
