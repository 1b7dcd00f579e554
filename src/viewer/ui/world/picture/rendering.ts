/** How this browser draws 3D: with a GPU, by software rendering, or not at all. */
export type Rendering = 'hardware' | 'software' | 'none';

const SOFTWARE_RENDERERS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Returns whether a renderer works without a GPU. @param renderer its name in WebGL */
export const isSoftwareRenderer = (renderer: string): boolean => SOFTWARE_RENDERERS.test(renderer);

let known: Rendering | null = null;

/** Queries WebGL once, with a context that is released immediately. */
export function detectRendering(): Rendering {
  known ??= probe();
  return known;
}

function probe(): Rendering {
  const gl = document.createElement('canvas').getContext('webgl2');
  if (!gl) return 'none';
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const renderer = String(gl.getParameter(info ? info.UNMASKED_RENDERER_WEBGL : gl.RENDERER));
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return isSoftwareRenderer(renderer) ? 'software' : 'hardware';
}

/**
 * Returns whether a worker draws the person's picture. With software rendering, a frame would block the page. A GPU draws at
 * once, and labels and picture then move within one frame. Browsers from before 2023 cannot transfer a canvas to a worker.
 */
export const drawsInWorker = (rendering: Rendering): boolean =>
  rendering === 'software' && 'transferControlToOffscreen' in HTMLCanvasElement.prototype;
