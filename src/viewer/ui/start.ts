import { startsAllAtOnce } from '../engine/cores.ts';
import type { Engine } from '../engine/types.ts';
import type { Gate } from './gate/gate.ts';
import { signalState } from './page-signal.ts';

/** The code that renders an interface into the page. */
interface Interface {
  mountInterface(page: Document, engine: Engine, askForKey: () => void): void;
}

/**
 * Connects an engine to the page: the gate now, the interface as soon as the engine leaves the gate. The interface's code is
 * fetched while a person still looks for their key.
 * @param load loads the interface. @default the one of a page that is the robot
 */
export function startInterface(
  page: Document,
  gate: Gate,
  engine: Engine,
  load: () => Promise<Interface> = () => import('./mount.tsx'),
): void {
  let wanted = false;
  const open = async () => {
    if (wanted) return;
    wanted = true;
    if (startsAllAtOnce()) void loadWorld();
    try {
      const { mountInterface } = await load();
      mountInterface(page, engine, () => gate.ask());
    } catch {
      gate.fail('Part of this page could not be loaded. Check the connection and reload the page.');
    }
  };
  gate.serve(engine);
  signalState(page, engine);
  if (engine.store.getState().phase !== 'gate') return void open();
  engine.store.subscribe(({ phase }) => {
    if (phase !== 'gate') void open();
  });
  whenIdle(page, () => void Promise.all([load(), loadWorld()]).catch(() => undefined));
}

/** Loads the largest part of the interface in parallel with the rest. The code that renders it reports a failure. */
const loadWorld = (): Promise<unknown> => import('./world/WorldView.tsx').catch(() => undefined);

/** Runs a task when the page is idle. Safari has no requestIdleCallback. */
function whenIdle(page: Document, task: () => void): void {
  const view = page.defaultView;
  if (view && 'requestIdleCallback' in view) view.requestIdleCallback(task);
  else setTimeout(task, 200);
}
