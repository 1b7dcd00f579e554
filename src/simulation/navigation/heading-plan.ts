import * as portable from '../../common/portable-math.ts';
import { wrapRad } from '../../protocol/wire/geometry.ts';
import type { Point } from './footprints.ts';
import * as polyline from './polyline.ts';

/**
 * The headings of the base along a way, for a base that may move in any direction but not at any heading. Entries follow each
 * other along the way, about `LAYER_M` apart; several at the same place are a turn on the spot.
 */
export interface HeadingPlan {
  readonly entries: readonly HeadingEntry[];
}

export interface HeadingEntry {
  readonly atM: number;
  readonly yawRad: number;
  /** The highest speed there, so that turns ahead can be made. */
  readonly topMps: number;
  /** Whether some headings are not free here. */
  readonly isNarrow: boolean;
}

/** Which headings are free at a place: all of them, or those for which the function returns true. */
export type FreeHeadings = (point: Point) => 'all' | ((yawRad: number) => boolean);

const LAYER_M = 0.04;
const BINS = 72;
const BIN_RAD = (2 * Math.PI) / BINS;
/** The extra cost of a metre walked straight backwards; sideways half of it. */
const ASKEW_COST = 2;
/** The cost of turning by one radian: while walking, and on the spot. Metres. */
const TURN_COST_M = 0.1;
const SPOT_TURN_COST_M = 0.4;
const TURN_RPS = 1.1;
const NARROW_TURN_RPS = 0.5;
const TOP_MPS = 1;
const ASKEW_TOP_MPS = 0.5;
const SPOT_TURN_MPS = 0.1;
const BRAKING_MPS2 = 0.7;

const LEAVING_M = 0.3;
const COMING_M = 0.1;

const binOf = (yawRad: number): number => ((Math.round(yawRad / BIN_RAD) % BINS) + BINS) % BINS;
const yawOf = (bin: number): number => wrapRad(bin * BIN_RAD);

/**
 * Computes the headings with the least turning and the least walking askew, by dynamic programming over places along the way and headings at
 * each (Bellman): the cheapest way to a heading comes from the cheapest ways to those at the place before.
 * @param startYaw of the base now; counts as free
 * @param goalYaw to end with, or null for any; counts as free
 * @returns null when no sequence of free headings leads along this way
 */
export function planHeadings(
  way: polyline.Polyline,
  startYaw: number,
  goalYaw: number | null,
  freeHeadings: FreeHeadings,
): HeadingPlan | null {
  const layers = Math.max(1, Math.ceil(way.lengthM / LAYER_M));
  const stepM = way.lengthM / layers;
  const costs = new Float64Array((layers + 1) * BINS).fill(Number.POSITIVE_INFINITY);
  /** Origin of the cheapest way to a state: its heading, and -1 from this layer or 0 from the one before. */
  const sources = new Int16Array(costs.length).fill(-1);
  const [startBin, goalBin] = [binOf(startYaw), goalYaw === null ? null : binOf(goalYaw)];
  costs[startBin] = 0;
  const isNarrow = new Uint8Array(layers + 1);
  let mayLeave = true;
  for (let layer = 0; layer <= layers; layer += 1) {
    const place = polyline.pointAt(way, layer * stepM);
    const free = freeHeadings(place);
    isNarrow[layer] = free === 'all' ? 0 : 1;
    // A start too near to something keeps its heading; headings between the bins' are rounded, the goal's too.
    const isLeaving = mayLeave && layer * stepM <= LEAVING_M;
    if (free === 'all' || free(yawOf(startBin))) mayLeave = false;
    const isComing = (layers - layer) * stepM <= COMING_M;
    const isFree = (bin: number): boolean =>
      free === 'all' || (isLeaving && bin === startBin) || (isComing && bin === goalBin) || free(yawOf(bin));
    const open = Array.from({ length: BINS }, (_, bin) => isFree(bin));
    if (layer > 0) comeFrom(costs, sources, layer, stepM, directionAt(way, layer * stepM - stepM / 2), open);
    turnOnSpot(costs, sources, layer, open);
  }
  const last = bestBin(costs, layers, goalBin);
  if (last === null) return null;
  const states = trace(sources, layers, last);
  return { entries: withSpeeds(states, isNarrow, way, stepM, goalYaw) };
}

function directionAt(way: polyline.Polyline, atM: number): number {
  const [from, to] = [polyline.pointAt(way, atM - 0.01), polyline.pointAt(way, atM + 0.01)];
  return portable.atan2(to.y - from.y, to.x - from.x);
}

function comeFrom(
  costs: Float64Array,
  sources: Int16Array,
  layer: number,
  stepM: number,
  directionRad: number,
  open: readonly boolean[],
): void {
  for (let bin = 0; bin < BINS; bin += 1) {
    if (!open[bin]) continue;
    const walkM = stepM * (1 + (ASKEW_COST / 2) * (1 - portable.cos(yawOf(bin) - directionRad)));
    for (const turn of [0, -1, 1]) {
      const source = (bin + turn + BINS) % BINS;
      const cost = (costs[(layer - 1) * BINS + source] ?? 0) + walkM + Math.abs(turn) * BIN_RAD * TURN_COST_M;
      if (cost >= (costs[layer * BINS + bin] ?? 0)) continue;
      costs[layer * BINS + bin] = cost;
      sources[layer * BINS + bin] = source;
    }
  }
}

/** Two rounds in both directions reach everything. */
function turnOnSpot(costs: Float64Array, sources: Int16Array, layer: number, open: readonly boolean[]): void {
  const row = layer * BINS;
  for (const turn of [1, -1])
    for (let i = 0; i < 2 * BINS; i += 1) {
      const source = (((turn * i) % BINS) + BINS) % BINS;
      const bin = (source + turn + BINS) % BINS;
      const cost = (costs[row + source] ?? 0) + BIN_RAD * SPOT_TURN_COST_M;
      if (!open[bin] || cost >= (costs[row + bin] ?? 0)) continue;
      costs[row + bin] = cost;
      sources[row + bin] = BINS + source;
    }
}

function bestBin(costs: Float64Array, layers: number, goalBin: number | null): number | null {
  const bins = goalBin === null ? Array.from({ length: BINS }, (_, bin) => bin) : [goalBin];
  let best: number | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const bin of bins) {
    const cost = costs[layers * BINS + bin] ?? Number.POSITIVE_INFINITY;
    if (cost >= least) continue;
    least = cost;
    best = bin;
  }
  return best;
}

interface State {
  layer: number;
  bin: number;
}

function trace(sources: Int16Array, layers: number, lastBin: number): State[] {
  const states: State[] = [{ layer: layers, bin: lastBin }];
  let [layer, bin] = [layers, lastBin];
  for (let source = sources[layer * BINS + bin] ?? -1; source >= 0; source = sources[layer * BINS + bin] ?? -1) {
    if (source >= BINS) bin = source - BINS;
    else {
      bin = source;
      layer -= 1;
    }
    states.push({ layer, bin });
  }
  return states.reverse();
}

/** Speeds that allow for the turns: at each entry, and braking for those ahead. */
function withSpeeds(
  states: readonly State[],
  isNarrow: Uint8Array,
  way: polyline.Polyline,
  stepM: number,
  goalYaw: number | null,
): HeadingEntry[] {
  const entries: HeadingEntry[] = [];
  let aheadMps = 0;
  for (let i = states.length - 1; i >= 0; i -= 1) {
    const state = states[i];
    const next = states[i + 1];
    if (!state) continue;
    const atM = state.layer * stepM;
    const isTurn = next !== undefined && next.bin !== state.bin;
    const onSpot = next !== undefined && next.layer === state.layer;
    const askew = Math.abs(wrapRad(yawOf(state.bin) - directionAt(way, Math.min(atM + stepM / 2, way.lengthM - 0.01))));
    const narrow = isNarrow[state.layer] === 1;
    let topMps = askew > 0.6 ? ASKEW_TOP_MPS : TOP_MPS;
    const turnRps = narrow ? NARROW_TURN_RPS : TURN_RPS;
    if (isTurn) topMps = Math.min(topMps, onSpot ? SPOT_TURN_MPS : Math.max(SPOT_TURN_MPS, (turnRps * stepM) / BIN_RAD));
    const apartM = next === undefined ? 0 : (next.layer - state.layer) * stepM;
    topMps = Math.min(topMps, Math.sqrt(aheadMps * aheadMps + 2 * BRAKING_MPS2 * apartM));
    aheadMps = Math.max(topMps, SPOT_TURN_MPS);
    const yawRad = next === undefined && goalYaw !== null ? goalYaw : yawOf(state.bin);
    entries.push({ atM, yawRad, topMps: aheadMps, isNarrow: narrow });
  }
  return entries.reverse();
}
