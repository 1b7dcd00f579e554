import type { PlaceCamera } from '../../../protocol/place-cameras.ts';

/** Returns the id of a camera, to stand beside its title; null where the title is that very word. */
export const idBesideTitle = ({ id, title }: Pick<PlaceCamera, 'id' | 'title'>): string | null =>
  title.toLowerCase() === id.toLowerCase() ? null : id;

/** Names a camera by the id that a call takes, with its title where that is another word: "topdown: ceiling", "corner". */
export const cameraChoiceWords = (camera: Pick<PlaceCamera, 'id' | 'title'>): string =>
  idBesideTitle(camera) === null ? camera.id : `${camera.id}: ${camera.title.toLowerCase()}`;
