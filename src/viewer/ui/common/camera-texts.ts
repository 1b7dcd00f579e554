import type { PlaceCamera } from './place-cameras.ts';

/** Returns the id of a camera for display beside its title; null if both are the same word. */
export const idBesideTitle = ({ id, title }: Pick<PlaceCamera, 'id' | 'title'>): string | null =>
  title.toLowerCase() === id.toLowerCase() ? null : id;

/** Names a camera by the id that a call takes, with its title if that is different: "topdown: ceiling", "corner". */
export const cameraChoiceText = (camera: Pick<PlaceCamera, 'id' | 'title'>): string =>
  idBesideTitle(camera) === null ? camera.id : `${camera.id}: ${camera.title.toLowerCase()}`;
