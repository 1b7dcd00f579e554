import { useEffect } from 'react';
import { REPLAY_PAGE } from '../../protocol/replay-page.ts';
import { SCENE_LIMITS } from '../../protocol/scene-limits.ts';
import { refusedScene, type SceneOutcome } from '../../protocol/scene-outcome.ts';
import { tabItems } from '../engine/browser-storage.ts';
import { forgetHanded, handProof, isMeantAsProof } from '../engine/replay/handed-proof.ts';
import type { Engine } from '../engine/types.ts';
import { useEngine, useViewer } from './common/engine-context.ts';

/** Opens a scene file that is dropped anywhere on the page while the robot is there. */
export function useSceneDrop(): void {
  const engine = useEngine();
  const isLive = useViewer(({ phase, visit }) => phase === 'live' && visit === null);
  useEffect(() => {
    if (!isLive) return;
    const isOurs = (event: DragEvent): boolean =>
      (event.dataTransfer?.types.includes('Files') ?? false) && document.querySelector('dialog[open], html[data-gate]') === null;
    const over = (event: DragEvent): void => {
      if (!isOurs(event)) return;
      event.preventDefault();
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
    };
    const drop = (event: DragEvent): void => {
      const file = isOurs(event) ? event.dataTransfer?.files.item(0) : null;
      if (!file) return;
      event.preventDefault();
      void openFile(engine, file);
    };
    // Before the gate's own listeners, which take no file while the gate is closed.
    document.addEventListener('dragover', over, true);
    document.addEventListener('drop', drop, true);
    return () => {
      document.removeEventListener('dragover', over, true);
      document.removeEventListener('drop', drop, true);
    };
  }, [engine, isLive]);
}

async function openFile(engine: Engine, file: File): Promise<void> {
  const outcome =
    file.size > SCENE_LIMITS.bytes
      ? { ok: false as const, problems: [{ path: '', reason: `is larger than ${SCENE_LIMITS.bytes} bytes.` }] }
      : await file.text().then(
          (text) => (isMeantAsProof(text) ? showProof(file.name, text) : engine.openScene(text)),
          () => ({ ok: false as const, problems: [{ path: '', reason: 'could not be read.' }] }),
        );
  engine.store.setState({ sceneRefusal: outcome.ok ? null : { name: file.name, problems: outcome.problems } });
}

/** Shows the proof of a run in a tab of its own: this one stays the robot. */
async function showProof(name: string, text: string): Promise<SceneOutcome> {
  const isLeft = handProof(tabItems, name, text);
  const opened = isLeft ? window.open(REPLAY_PAGE) : null;
  forgetHanded(tabItems);
  return opened === null
    ? refusedScene('is the proof of a run, and the browser did not open another tab for it. Open it on the replay page.')
    : { ok: true, sceneId: '', title: name };
}
