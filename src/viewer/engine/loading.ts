import type { LoadingPart, LoadingPartId, ViewerStore } from './types.ts';

/** The parts that every call needs. The room only delivers calls, and pictures wait for the cameras automatically. */
const NEEDED_FOR_CALLS: readonly LoadingPartId[] = ['physics', 'world'];

/** Updates one part. A fraction never decreases, except when the part starts again (fraction 0). */
export function setPart(
  store: ViewerStore,
  id: LoadingPartId,
  change: { fraction?: number; done?: boolean; note?: string; problem?: string },
): void {
  store.setState(({ loading }) => ({
    loading: loading.map((part) => (part.id === id ? changed(part, change) : part)),
  }));
}

function changed(part: LoadingPart, { fraction, done, note, problem }: Parameters<typeof setPart>[2]): LoadingPart {
  const { problem: _solved, note: _before, ...rest } = part;
  const reached = fraction === 0 ? 0 : Math.min(1, Math.max(part.fraction, fraction ?? 0));
  return {
    ...rest,
    fraction: done ? 1 : reached,
    done: done ?? (fraction === 0 ? false : part.done),
    ...(note === undefined ? {} : { note }),
    ...(problem === undefined ? {} : { problem }),
  };
}

/** Returns the first part that still prevents calls from being served; null when all are ready. */
export function whatIsLoading(loading: readonly LoadingPart[]): { part: string; fraction: number } | null {
  const part = loading.find(({ id, done }) => !done && NEEDED_FOR_CALLS.includes(id));
  return part ? { part: part.label.toLowerCase(), fraction: part.fraction } : null;
}

/** Returns whether the robot itself is loaded. Without a room, nothing else is needed. */
export const isRobotLoaded = (loading: readonly LoadingPart[]): boolean => whatIsLoading(loading) === null;

/** Returns whether the simulation has failed and does not restart automatically. */
export const isPhysicsBroken = (loading: readonly LoadingPart[]): boolean =>
  loading.some(({ id, problem }) => id === 'physics' && problem !== undefined);

/** Returns whether callers in the room can reach the robot. */
export const isReachable = (loading: readonly LoadingPart[]): boolean =>
  isRobotLoaded(loading) && loading.some(({ id, done }) => id === 'room' && done);
