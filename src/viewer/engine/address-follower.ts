import { isSceneId } from '../../protocol/wire/scene-ids.ts';
import { asksForLocal, markLocal, markRobot, markScene, markTask, readTaskId } from './page-address.ts';
import type { Engine, ViewerState } from './types.ts';

/** The parts of a page's window that hold its address. */
export interface AddressPage {
  readonly location: { readonly href: string };
  readonly history: Pick<History, 'state' | 'replaceState'>;
}

/** Whether the page has no robot yet, neither its own nor one in a room. */
const isUndecided = ({ local, connection }: ViewerState): boolean => !local && connection.kind === 'idle';

/**
 * Keeps the address in step with the page, so that a reload opens the same: a robot of this tab, its scene, robot model and task.
 * An address that asks for a robot of this tab does not change until the page has one. The gate's physics may be ready before the
 * list of tasks; without this wait, the task would be lost.
 */
export function followInAddress({ store, layout }: Pick<Engine, 'store' | 'layout'>, page: AddressPage): void {
  store.subscribe((state, before) => {
    const { local, layoutVersion, task } = state;
    const isSame = local === before.local && layoutVersion === before.layoutVersion && isUndecided(state) === isUndecided(before);
    const { href } = page.location;
    if (isSame || (isUndecided(state) && !before.local && asksForLocal(href))) return;
    const place = layout();
    const address = markTask(markLocal(href, local), task ? task.address : local ? readTaskId(href) : null);
    const inScene = local && place && isSceneId(place.scene_id) ? markScene(address, place.scene_id) : address;
    page.history.replaceState(page.history.state, '', local && place ? markRobot(inScene, place.robot) : inScene);
  });
}
