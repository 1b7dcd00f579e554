/** How this browser draws 3D: by a graphics card, by the processor alone, or not at all. */
export type Rendering = 'hardware' | 'software' | 'none';

const SOFTWARE_RENDERERS = /swiftshader|llvmpipe|softpipe|software|basic render/i;

/** Is this a renderer that works without a graphics card? @param renderer as WebGL names it */
export const isSoftwareRenderer = (renderer: string): boolean => SOFTWARE_RENDERERS.test(renderer);

let known: Rendering | null = null;

/** Asks WebGL once, with a context that is given back at once. */
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
 * Does a worker draw the person's picture? Where the processor draws, a frame would hold the page up; a graphics card draws at once, and
 * then labels and picture move within one frame. Browsers from before 2023 cannot lend a canvas to a worker.
 */
export const drawsInWorker = (rendering: Rendering): boolean =>
  rendering === 'software' && 'transferControlToOffscreen' in HTMLCanvasElement.prototype;
