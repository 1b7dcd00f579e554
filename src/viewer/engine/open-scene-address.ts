import { SCENE_LIMITS } from '../../protocol/files/scene-limits.ts';
import { fetchFile } from './fetch-file.ts';
import type { Engine } from './types.ts';

/**
 * Opens the scene file at an address as soon as the robot is ready, unless its world continues from before a reload. If the file
 * cannot be opened, shows why.
 */
export async function openSceneAddress(engine: Engine, address: string, ownOrigin: string): Promise<void> {
  const fetched = fetchFile(address, { ownOrigin, maxBytes: SCENE_LIMITS.bytes });
  await isLive(engine);
  if (engine.store.getState().wentOn?.kind === 'restored') return;
  const file = await fetched;
  const outcome = file.ok ? await engine.openScene(file.text) : file;
  if (!outcome.ok) engine.store.setState({ fileRefusal: { kind: 'scene', name: address, problems: outcome.problems } });
}

function isLive({ store }: Engine): Promise<void> {
  if (store.getState().phase === 'live') return Promise.resolve();
  return new Promise((resolve) => {
    const stop = store.subscribe(({ phase }) => {
      if (phase !== 'live') return;
      stop();
      resolve();
    });
  });
}
