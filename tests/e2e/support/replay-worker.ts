/** Does in a browser's worker, as the page's own simulation runs in one, what was done in Node: replays calls, verifies proofs, makes worlds. */
import RAPIER from '@dimforge/rapier3d-compat';
import { createWorld, disposeWorld, stateHash } from '../../../src/simulation/world.ts';
import { verifyProof } from '../../../src/tasks/verify-proof.ts';
import { replay } from '../../promises/replay-log.ts';
import type { PageWork, PageWorkDone } from './replay-site.ts';

/** The verdict about a proof, in words. */
function verified(text: string): string {
  const verification = verifyProof(RAPIER, text);
  return 'what' in verification ? `${verification.is}: ${verification.what}` : verification.is;
}

function hashOf(sceneId: string, seed: number): string {
  const world = createWorld(RAPIER, { sceneId, seed });
  const hash = stateHash(world);
  disposeWorld(world);
  return hash;
}

addEventListener('message', async ({ data }: MessageEvent<PageWork>) => {
  await RAPIER.init();
  const done: PageWorkDone = {
    replays: data.logs.map((log) => replay(RAPIER, log)),
    verified: data.proofs.map(verified),
    worldHashes: data.worlds.map(({ sceneId, seed }) => hashOf(sceneId, seed)),
  };
  postMessage(done);
});
