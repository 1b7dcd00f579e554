/**
 * The entry of the gallery, which replaces `src/viewer/main.tsx`: the page of the state that the address names, or the
 * list of all states.
 */
import { recorded } from 'virtual:recorded';

import { readEmbedSettings } from '../../src/viewer/embed/settings.ts';
import { setTheme, storedTheme } from '../../src/viewer/ui/common/theme.ts';
import { openGate } from '../../src/viewer/ui/gate/gate.ts';
import { startInterface } from '../../src/viewer/ui/start.ts';
import { listStates } from './list.ts';
import { pictureKindOf, preparePictures } from './pictures.ts';
import { FRAME_STATE, isStateName, STATES } from './states.ts';
import { createStill, type Still } from './still.ts';

declare global {
  /** The test's control over the engine of the page. */
  var still: Still;
}

const query = new URLSearchParams(location.search);
const settings = readEmbedSettings(location.href);
const asked = query.get('state') ?? (settings ? FRAME_STATE : null);

if (asked === null || !isStateName(asked)) listStates(document);
else {
  const { state, world, keys = [] } = STATES[asked];
  preparePictures(pictureKindOf(query));
  const recording = recorded[world ?? state.profile ?? 'simulator'];
  const scene = state.phase === undefined ? {} : { scene: recording.scene, layoutVersion: 1 };
  const { engine, still } = createStill({ ...scene, ...state }, recording);
  window.still = still;
  const visits = state.visit !== undefined;
  if (settings) {
    if (settings.theme) setTheme(document, settings.theme);
    document.getElementById('gate')?.setAttribute('hidden', '');
    void import('../../src/viewer/embed/frame.tsx').then(({ mountFrame }) => mountFrame(window, settings, engine));
  } else {
    setTheme(document, storedTheme());
    const gate = openGate(document, state.phase !== undefined, visits);
    if (visits) startInterface(document, gate, engine, () => import('../../src/viewer/visitor/visitor-page.tsx'));
    else startInterface(document, gate, engine);
  }
  if (keys.length > 0) void pressWhenShown(keys);
}

/** Presses keys, one after the other, as soon as the interface exists. */
async function pressWhenShown(keys: readonly string[]): Promise<void> {
  while (!document.querySelector('.top-bar')) await new Promise(requestAnimationFrame);
  for (const key of keys)
    for (const type of ['keydown', 'keyup'])
      document.body.dispatchEvent(new KeyboardEvent(type, { key, code: `Key${key.toUpperCase()}`, bubbles: true }));
}
