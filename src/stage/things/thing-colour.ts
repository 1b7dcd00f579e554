import type { Color } from 'three';
import type { ThingRender } from '../../protocol/wire/render-state.ts';
import { segmentationHex } from '../../protocol/wire/segmentation.ts';
import { setIdColour } from '../look/ids.ts';
import { CUBE_HEX } from '../look/palette.ts';
import type { Look } from '../types.ts';

/** Sets the colour of a movable thing in a look. */
export function thingColour(out: Color, { entityId, colour }: Pick<ThingRender, 'entityId' | 'colour'>, look: Look): Color {
  if (typeof look !== 'string') return setIdColour(out, entityId);
  return out.set(look === 'segmentation' ? segmentationHex(entityId, 'bright') : CUBE_HEX[colour]);
}
