/** Replays call logs in a browser's worker, as the page's own simulation runs in one, and posts what came of each. */
import RAPIER from '@dimforge/rapier3d-compat';
import { type CallLog, replay } from '../../promises/replay-log.ts';

addEventListener('message', async ({ data }: MessageEvent<CallLog[]>) => {
  await RAPIER.init();
  postMessage(data.map((log) => replay(RAPIER, log)));
});
