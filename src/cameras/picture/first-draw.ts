import { type Camera, type Material, Mesh, type Object3D, type Scene, type WebGLRenderer } from 'three';

/** No camera looks at this layer. */
const UNSEEN_LAYER = 31;
/** Few pixels: this draw is only for the other costs of a first frame. */
const TINY_PIXEL_RATIO = 0.1;

export interface FirstDraw {
  renderer: WebGLRenderer;
  scene: Scene;
  camera: Camera;
  /** Draws what the camera sees. */
  draw(): void;
  /** Gives other work the CPU and the renderer for a moment. */
  pause(): Promise<void>;
}

/**
 * Does the slow work of a first frame one material at a time: compiles its shaders, then draws it alone and tiny. Otherwise a
 * picture of the robot's cameras would wait half a second or more with software rendering.
 */
export async function prepareFirstDraw({ renderer, scene, camera, draw, pause }: FirstDraw): Promise<void> {
  const groups = meshesByMaterial(scene);
  const all = [...groups.values()].flat();
  const pixelRatio = renderer.getPixelRatio();
  for (const object of all) object.layers.set(UNSEEN_LAYER);
  renderer.setPixelRatio(TINY_PIXEL_RATIO);
  try {
    for (const meshes of groups.values()) {
      // Requested now and used once it is ready: immediate use would wait for the compiler.
      for (const object of meshes) renderer.compile(object, camera, scene);
      await untilDrawn(renderer, pause);
      for (const object of meshes) object.layers.set(0);
      draw();
      for (const object of meshes) object.layers.set(UNSEEN_LAYER);
      await untilDrawn(renderer, pause);
    }
  } finally {
    for (const object of all) object.layers.set(0);
    renderer.setPixelRatio(pixelRatio);
  }
}

/** Waits, without blocking, until the requested drawing is done. */
async function untilDrawn(renderer: WebGLRenderer, pause: FirstDraw['pause']): Promise<void> {
  const gl = renderer.getContext();
  if (!(gl instanceof WebGL2RenderingContext)) return pause();
  const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
  gl.flush();
  await pause();
  while (fence && !gl.isContextLost() && gl.getSyncParameter(fence, gl.SYNC_STATUS) !== gl.SIGNALED) await pause();
  if (fence) gl.deleteSync(fence);
}

/** Skips the materials of hidden objects, such as an unused marker, so that the first frame does not wait for them. */
function meshesByMaterial(scene: Scene): ReadonlyMap<Material, Object3D[]> {
  const groups = new Map<Material, Object3D[]>();
  scene.traverseVisible((object) => {
    if (!(object instanceof Mesh) || Array.isArray(object.material)) return;
    const group = groups.get(object.material) ?? [];
    group.push(object);
    groups.set(object.material, group);
  });
  return groups;
}
