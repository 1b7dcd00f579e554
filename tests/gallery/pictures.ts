/** The treatment of the picture of the world in a page of the gallery. */
import type { FromPicture, ToPicture } from '../../src/cameras/picture/picture-messages.ts';

/**
 * - `drawn`: as users see it
 * - `empty`: the overlays are in place, and the canvas stays empty. Software rendering costs more than everything else.
 * - `none`: the browser has no WebGL
 */
export type PictureKind = 'drawn' | 'empty' | 'none';

/** Reads the kind from an address; the default is a drawn picture. */
export function pictureKindOf(query: URLSearchParams): PictureKind {
  const asked = query.get('picture');
  return asked === 'empty' || asked === 'none' ? asked : 'drawn';
}

/** Prepares the page for pictures of this kind. Call it before anything is drawn. */
export function preparePictures(kind: PictureKind): void {
  if (kind === 'empty') Object.assign(globalThis, { Worker: EmptyPicture });
  if (kind === 'none') {
    const { getContext } = HTMLCanvasElement.prototype;
    HTMLCanvasElement.prototype.getContext = new Proxy(getContext, {
      apply: (_, canvas: Element, args: [string]) => (args[0] === 'webgl2' ? null : Reflect.apply(getContext, canvas, args)),
    });
  }
}

/** Replaces the worker that draws, and reports each frame as drawn at once. */
class EmptyPicture {
  onmessage: ((event: { data: FromPicture }) => void) | null = null;
  postMessage({ type }: ToPicture): void {
    if (type === 'draw') queueMicrotask(() => this.onmessage?.({ data: { type: 'drawn', costMs: 1 } }));
  }
  terminate(): void {}
}
