import { HEAD_CAMERA_ID } from '../../../protocol/wire/captures.ts';
import type { ScenePlace } from '../../../protocol/wire/place.ts';
import { robotModel } from '../../../protocol/wire/robots.ts';

/** A camera that can take a picture, as people see it. */
export interface PlaceCamera {
  id: string;
  title: string;
  description: string;
}

/** Returns the robot's own camera, then those that hang in the place; an empty list without a place. */
export function placeCameras(place: Pick<ScenePlace, 'robot' | 'cameras'> | null): readonly PlaceCamera[] {
  if (place === null) return [];
  const { title, description } = robotModel(place.robot).camera;
  return [{ id: HEAD_CAMERA_ID, title, description }, ...place.cameras];
}
