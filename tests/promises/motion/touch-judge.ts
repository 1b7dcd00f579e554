/** Judges whether parts of the body overlap. */
import type { RenderState } from '../../../src/protocol/wire/render-state.ts';
import type { Worst } from './joints-judge.ts';
import type { Links } from './links.ts';
import { apartM, ballOf, gapM, pairsOf, solidsOf } from './solids.ts';

export interface TouchSeen {
  /** Maximum depth to which two parts overlap, metres, by their names. */
  depthM: Map<string, Worst>;
}

/** Parts farther apart than this are not measured. */
const FAR_M = 0.02;

export function createTouchJudge(): { see(links: Links, state: RenderState, when: string): void; seen: TouchSeen } {
  const seen: TouchSeen = { depthM: new Map() };
  const pairs = new Map<boolean, [string, string][]>();
  return {
    seen,
    see(links, state, when) {
      const solids = solidsOf(links, state);
      const holding = solids.has('cube');
      const wanted = pairs.get(holding) ?? pairsOf(solids);
      pairs.set(holding, wanted);
      const balls = new Map([...solids].map(([name, solid]) => [name, ballOf(solid)]));
      for (const [a, b] of wanted) {
        const [ballA, ballB] = [balls.get(a), balls.get(b)];
        const [solidA, solidB] = [solids.get(a), solids.get(b)];
        if (!ballA || !ballB || !solidA || !solidB) continue;
        if (apartM(ballA.centre, ballB.centre) > ballA.reachM + ballB.reachM + FAR_M) continue;
        const depthM = -gapM(solidA, solidB);
        if (!(depthM > 0)) continue;
        const key = `${a} and ${b}`;
        const worst = seen.depthM.get(key);
        if (worst === undefined || depthM > worst.value) seen.depthM.set(key, { value: depthM, where: when });
      }
    },
  };
}
