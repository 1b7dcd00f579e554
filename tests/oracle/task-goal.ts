import type { Predicate } from '../../src/protocol/files/task-file.ts';

/**
 * Goals of tasks judged after a run, from the values of atoms at each of its moments: no state is kept, every predicate is a
 * series of truth values, and order is a question about their edges.
 */

/** The value of an atom after each step from step 0 on, by its place in the task. */
export type AtomSeries = (atom: Predicate, path: string) => readonly boolean[];

const EVENTS: readonly string[] = ['visited', 'dropped', 'collided'];
const SETTLE_STEPS = 30;

/** Returns for each step whether a predicate is true then. */
export function series(predicate: Predicate, path: string, atoms: AtomSeries): boolean[] {
  const inner = (one: Predicate, place: string): boolean[] => series(one, `${path}.${place}`, atoms);
  switch (predicate.kind) {
    case 'all':
    case 'any': {
      const all = predicate.of.map((one, at) => inner(one, `of[${at}]`));
      const needed = predicate.kind === 'all' ? all.length : (predicate.at_least ?? 1);
      return all[0]?.map((_, step) => all.filter((one) => one[step]).length >= needed) ?? [];
    }
    case 'not':
      return inner(predicate.of, 'of').map((holds) => !holds);
    case 'still_at_end':
      return inner(predicate.of, 'of');
    case 'while': {
      const [condition, goal] = [
        moments(predicate.condition, `${path}.condition`, atoms),
        moments(predicate.goal, `${path}.goal`, atoms),
      ];
      return onwards(condition.map((holds, step) => holds && (goal[step] ?? false)));
    }
    case 'then': {
      const parts = predicate.of.map((one, at) => ({ one, path: `${path}.of[${at}]` }));
      let after = -1;
      for (const part of parts) {
        const reached = reachedAfter(part.one, part.path, atoms, after);
        if (reached === null) return inner(predicate.of[0] as Predicate, 'of[0]').map(() => false);
        after = reached;
      }
      const lasting = parts.filter(({ one }) => one.kind === 'still_at_end').map((part) => series(part.one, part.path, atoms));
      const first = inner(predicate.of[0] as Predicate, 'of[0]');
      return first.map((_, step) => step >= after && lasting.every((one) => one[step]));
    }
    default: {
      const held = [...atoms(predicate, path)];
      return EVENTS.includes(predicate.kind) ? onwards(held) : held;
    }
  }
}

/** The same, but for events only the moments at which they happen. */
function moments(predicate: Predicate, path: string, atoms: AtomSeries): boolean[] {
  return EVENTS.includes(predicate.kind) ? [...atoms(predicate, path)] : series(predicate, path, atoms);
}

/** Once true, true from there on. */
function onwards(held: readonly boolean[]): boolean[] {
  const first = held.indexOf(true);
  return held.map((_, step) => first >= 0 && step >= first);
}

/** The first step at which a part is reached that becomes true after another was reached; null for none. */
function reachedAfter(predicate: Predicate, path: string, atoms: AtomSeries, after: number): number | null {
  const held = moments(predicate, path, atoms);
  const isMoment = EVENTS.includes(predicate.kind) || predicate.kind === 'while';
  for (let step = Math.max(0, after); step < held.length; step += 1) {
    if (isMoment && held[step]) return step;
    const begins = held[step] === true && (step === 0 ? after < 0 : held[step - 1] === false && step > after);
    if (isMoment || !begins) continue;
    let end = step;
    while (held[end + 1]) end += 1;
    if (end - step >= SETTLE_STEPS) return step + SETTLE_STEPS;
  }
  return null;
}

/** The step at which the goal counts as reached: the first after which it was true for long enough; null for never. */
export function reachedAt(goal: Predicate, atoms: AtomSeries): number | null {
  const held = series(goal, 'goal', atoms);
  for (let step = 0; step < held.length; step += 1) {
    if (!held[step] || held[step - 1]) continue;
    let end = step;
    while (held[end + 1]) end += 1;
    if (end - step >= SETTLE_STEPS) return step + SETTLE_STEPS;
  }
  return null;
}
