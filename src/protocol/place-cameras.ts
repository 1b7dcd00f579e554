import { HEAD_CAMERA_ID } from './captures.ts';
import type { ScenePlace } from './place.ts';
import { robotModel } from './robots.ts';

/** A camera of which a picture can be asked, as people are told of it. */
export interface PlaceCamera {
  id: string;
  title: string;
  description: string;
}

/** Returns the robot's own camera, and then those that hang in the place; without a place, none is known. */
export function placeCameras(place: Pick<ScenePlace, 'robot' | 'cameras'> | null): readonly PlaceCamera[] {
  if (place === null) return [];
  const { title, description } = robotModel(place.robot).camera;
  return [{ id: HEAD_CAMERA_ID, title, description }, ...place.cameras];
}
