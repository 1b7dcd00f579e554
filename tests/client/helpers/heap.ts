import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Bytes of this process’s heap that are in use after a forced collection. */
export function heapBytesInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** Least squares through measurements: the growth of the value for one unit of `at`. */
export function slopeOf(points: readonly { at: number; value: number }[]): number {
  const mean = (pick: (point: { at: number; value: number }) => number): number =>
    points.reduce((sum, point) => sum + pick(point), 0) / points.length;
  const [meanAt, meanValue] = [mean(({ at }) => at), mean(({ value }) => value)];
  const spread = points.reduce((sum, { at }) => sum + (at - meanAt) ** 2, 0);
  return spread === 0 ? 0 : points.reduce((sum, { at, value }) => sum + (at - meanAt) * (value - meanValue), 0) / spread;
}
