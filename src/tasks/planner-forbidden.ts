import type { Predicate, ThingSelector } from '../protocol/files/task-file.ts';

/** The part of a task's prohibitions that the planner respects when it clears its path. */
export interface Forbidden {
  /** Things that must never be held. */
  held: readonly ThingSelector[];
  /** Whether things must never lie on the floor. */
  onFloor: boolean;
}

/** @param never of a task; one of several in `any` is forbidden like one that stands alone */
export function forbiddenBy(never: readonly Predicate[]): Forbidden {
  const alone = never.flatMap((predicate) => (predicate.kind === 'any' ? predicate.of : [predicate]));
  return {
    held: alone.flatMap((predicate) => (predicate.kind === 'held' ? [predicate.things] : [])),
    onFloor: alone.some((predicate) => predicate.kind === 'on' && predicate.floor === true),
  };
}
