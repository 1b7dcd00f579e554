import RAPIER from '@dimforge/rapier3d-compat';
import type { Page } from 'playwright-core';
import { SCENE_IDS } from '../../../src/protocol/wire/scene-ids.ts';
import { createWorld, disposeWorld, stateHash } from '../../../src/simulation/world.ts';
import { evaluated } from '../../promises/evals.ts';
import { withByteChanged } from '../../tasks/byte-changed.ts';
import type { ReplaySite } from './replay-site.ts';

/** The comparisons between Node and a page, and the differences. */
export interface ComparedInPage {
  proofs: number;
  worlds: number;
  failures: string[];
}

/**
 * Makes evaluations and worlds in Node, and verifies the proofs and makes the same worlds in a page. The first proof goes there with a byte
 * changed too, and must not be true.
 */
export async function compareInPage(
  site: ReplaySite,
  page: Page,
  { proofSeeds, worldSeeds }: { proofSeeds: readonly number[]; worldSeeds: readonly number[] },
): Promise<ComparedInPage> {
  await RAPIER.init();
  const proofs: string[] = [];
  for (const seed of proofSeeds) proofs.push((await evaluated(seed)).proof);
  const worlds = SCENE_IDS.flatMap((sceneId) => worldSeeds.map((seed) => ({ sceneId, seed })));
  const changed = withByteChanged(proofs[0] ?? '', proofSeeds[0] ?? 0);
  const there = await site.workIn(page, { proofs: [...proofs, changed], worlds });
  const failures = there.verified
    .slice(0, proofs.length)
    .flatMap((is, at) => (is === 'true' ? [] : [`in Chromium the proof of seed ${proofSeeds[at]} is ${is}`]));
  if (there.verified[proofs.length] === 'true') failures.push('in Chromium a proof is true with a byte changed');
  for (const [at, options] of worlds.entries()) {
    const world = createWorld(RAPIER, options);
    if (stateHash(world) !== there.worldHashes[at])
      failures.push(`the world of ${options.sceneId}, seed ${options.seed}, is another one in Chromium`);
    disposeWorld(world);
  }
  return { proofs: proofs.length, worlds: worlds.length, failures };
}
