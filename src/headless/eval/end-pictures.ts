import { cameraView } from '../../protocol/wire/capture-frame.ts';
import { HEAD_CAMERA_ID } from '../../protocol/wire/captures.ts';
import { degToRad } from '../../protocol/wire/geometry.ts';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { CameraView, RenderState } from '../../protocol/wire/render-state.ts';
import { captureFailure } from '../../runtime/host/carry-out-capture.ts';
import type { Pictures } from '../pictures/pictures.ts';

/** How the world of a run looked when it began and when it ended. */
export interface RunEnds {
  place: ScenePlace;
  start: RenderState;
  end: RenderState;
}

/** Pictures of both, as JPEG; or a sentence why there are none. */
export type EndPictures = { ok: true; start: Uint8Array; end: Uint8Array } | { ok: false; reason: string };

const [WIDTH_PX, HEIGHT_PX, QUALITY] = [480, 270, 0.75];
/** Around what both pictures show, so that nothing touches the edge. */
const MARGIN_M = 1;
const OF_THE_REPORT = 'report';

/** Draws both ends of a run from above, both from the same place. Never throws. */
export async function drawEnds(pictures: Pick<Pictures, 'draw'>, { place, start, end }: RunEnds): Promise<EndPictures> {
  const view = viewOf(place, [start, end]);
  const draw = async (state: RenderState): Promise<Uint8Array> => {
    const renderState = view === null ? state : { ...state, cameras: { ...state.cameras, [OF_THE_REPORT]: view } };
    const camera = view === null ? HEAD_CAMERA_ID : OF_THE_REPORT;
    const order = { renderState, camera, widthPx: WIDTH_PX, heightPx: HEIGHT_PX, quality: QUALITY, annotations: false };
    return (await pictures.draw(place, order)).jpeg;
  };
  try {
    return { ok: true, start: await draw(start), end: await draw(end) };
  } catch (thrown) {
    return { ok: false, reason: captureFailure(thrown) };
  }
}

/** The scene's camera above, lowered until robot and things just fit. Null in a scene without one. */
function viewOf({ cameras }: ScenePlace, states: readonly RenderState[]): CameraView | null {
  const [first] = states;
  if (first === undefined || !cameras.some(({ id }) => id === ABOVE)) return null;
  const above = cameraView(first, ABOVE);
  const shown = states.flatMap(({ rootPose, things }) => [rootPose.position, ...things.map(({ position }) => position)]);
  const [xs, ys] = [shown.map(([x]) => x), shown.map(([, y]) => y)];
  const [minX, maxX, minY, maxY] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const spreadM = Math.max(maxY - minY, ((maxX - minX) * HEIGHT_PX) / WIDTH_PX) + 2 * MARGIN_M;
  const heightM = spreadM / 2 / Math.tan(degToRad(above.verticalFovDeg) / 2);
  return {
    ...above,
    position: [(minX + maxX) / 2, (minY + maxY) / 2, Math.min(above.position[2], heightM)],
  };
}

const ABOVE = 'topdown';
