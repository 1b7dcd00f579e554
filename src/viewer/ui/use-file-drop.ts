import { useEffect } from 'react';
import { SCENE_LIMITS } from '../../protocol/files/scene-limits.ts';
import { REPLAY_PAGE } from '../../protocol/service/replay-page.ts';
import { refusedScene, type SceneOutcome } from '../../protocol/wire/scene-outcome.ts';
import { tabItems } from '../engine/browser-storage.ts';
import { formatOf } from '../engine/file-format.ts';
import { forgetHanded, handProof } from '../engine/tab-storage.ts';
import type { Engine, FileRefusal } from '../engine/types.ts';
import { useEngine, useViewer } from './common/engine-context.ts';
import { useUiStore } from './common/ui-store.ts';

/** Opens the file of a scene, a task or a proof that is dropped anywhere on the page while there is a robot. */
export function useFileDrop(): void {
  const engine = useEngine();
  const ui = useUiStore();
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
      void openFile(engine, file, () => ui.setState({ tab: 'task', panelOpen: true }));
    };
    // Registered before the gate's own listeners, which take no file while the gate is closed.
    document.addEventListener('dragover', over, true);
    document.addEventListener('drop', drop, true);
    return () => {
      document.removeEventListener('dragover', over, true);
      document.removeEventListener('drop', drop, true);
    };
  }, [engine, ui, isLive]);
}

const PART_MISSING = 'Part of this page could not be loaded. Reload the page.';
const DURING_A_TASK = 'cannot be opened while the robot has a task. Leave the task first.';

async function openFile(engine: Engine, file: File, showTask: () => void): Promise<void> {
  const text = file.size > SCENE_LIMITS.bytes ? null : await file.text().catch(() => null);
  const format = text === null ? null : formatOf(text);
  const kind = format === 'task' || format === 'scene' ? format : 'file';
  const problems = await problemsOf(engine, file, text, format);
  if (kind === 'task' && problems.length === 0) showTask();
  engine.store.setState({ fileRefusal: problems.length === 0 ? null : { kind, name: file.name, problems } });
}

async function problemsOf(
  engine: Engine,
  file: File,
  text: string | null,
  format: ReturnType<typeof formatOf>,
): Promise<FileRefusal['problems']> {
  if (file.size > SCENE_LIMITS.bytes) return [{ path: '', reason: `is larger than ${SCENE_LIMITS.bytes} bytes.` }];
  if (text === null) return [{ path: '', reason: 'could not be read.' }];
  if (format === 'task' && engine.tasks) return engine.tasks.playFile(text).catch(() => [{ path: '', reason: PART_MISSING }]);
  if (format === 'scene' && engine.store.getState().task !== null) return [{ path: '', reason: DURING_A_TASK }];
  const outcome = format === 'proof' ? showProof(file.name, text) : await engine.openScene(text);
  return outcome.ok ? [] : outcome.problems;
}

/** Shows the proof of a run in a new tab, so that this one stays the robot. */
function showProof(name: string, text: string): SceneOutcome {
  const isLeft = handProof(tabItems, name, text);
  const opened = isLeft ? window.open(REPLAY_PAGE) : null;
  forgetHanded(tabItems);
  return opened === null
    ? refusedScene('is the proof of a run, and the browser did not open another tab for it. Open it on the replay page.')
    : { ok: true, sceneId: '', title: name };
}
