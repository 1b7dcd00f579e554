import { Frustum, InstancedMesh, type Material, Matrix4, Mesh, PerspectiveCamera, ShaderMaterial, Texture } from 'three';
import { describe, expect, it } from 'vitest';
import { placeOpticalCamera } from '../../src/stage/optical-camera.ts';
import { createStage } from '../../src/stage/stage.ts';
import { SAMPLE_LAYOUT, sampleState } from './helpers/sample-world.ts';

/** The audiences for which the processor draws: the robot's cameras, and people without a graphics card. */
const AUDIENCES = ['camera', 'people'] as const;

function drawn(audience: 'camera' | 'people') {
  const stage = createStage({ layout: SAMPLE_LAYOUT, audience, quality: 'low' });
  stage.draw({ latest: () => sampleState(), eye: () => 'pov' }, 0);
  stage.root.updateMatrixWorld(true);
  const meshes: Mesh<Mesh['geometry'], Material>[] = [];
  stage.root.traverseVisible((object) => {
    if (object instanceof Mesh && !Array.isArray(object.material)) meshes.push(object);
  });
  return meshes;
}

const trianglesOf = (mesh: Mesh): number => {
  const corners = mesh.geometry.getIndex()?.count ?? mesh.geometry.getAttribute('position').count;
  return (corners / 3) * (mesh instanceof InstancedMesh ? mesh.count : 1);
};

const texturesOf = (material: Material): Texture[] =>
  material instanceof ShaderMaterial
    ? Object.values(material.uniforms).flatMap(({ value }) => (value instanceof Texture ? [value] : []))
    : [];

describe.each(AUDIENCES)('drawing by the processor for %s', (audience) => {
  it('computes light, tone and encoding at corners, not at pixels', () => {
    for (const { material } of drawn(audience)) {
      if (material.transparent) continue;
      expect(material.type, material.name).toBe('ShaderMaterial');
      expect(material.toneMapped).toBe(false);
      if (!(material instanceof ShaderMaterial)) continue;
      expect(material.lights).toBe(false);
      expect(material.fragmentShader).not.toMatch(/pow|#include|for \(/);
    }
  });

  it('needs two shader programs, because a processor compiles each for longer than it draws', () => {
    const shaders = drawn(audience).flatMap(({ material }) =>
      material instanceof ShaderMaterial && !material.transparent ? [material.vertexShader + material.fragmentShader] : [],
    );
    expect(new Set(shaders).size).toBe(2);
  });

  it('reads its textures without conversion, because three decodes sRGB colours texel by texel', () => {
    const textures = drawn(audience).flatMap(({ material }) => (material.transparent ? [] : texturesOf(material)));
    expect(textures.length).toBe(4);
    for (const { colorSpace, image } of textures) {
      expect(colorSpace).not.toBe('srgb');
      const { data, width, height } = image as { data: Uint8Array; width: number; height: number };
      expect(data.length).toBe(width * height);
    }
  });
});

describe('a part out of sight', () => {
  it('omits hidden parts: from the robot’s head less than a quarter of the triangles are drawn', () => {
    const state = sampleState();
    const camera = new PerspectiveCamera();
    placeOpticalCamera(camera, state.cameras.pov, 1280, 720);
    const frustum = new Frustum().setFromProjectionMatrix(
      new Matrix4().multiplyMatrices(camera.projectionMatrix, camera.matrixWorldInverse),
    );
    const meshes = drawn('camera');
    const seen = meshes.filter((mesh) => !mesh.frustumCulled || frustum.intersectsObject(mesh));
    const sum = (some: readonly Mesh[]): number => some.reduce((total, mesh) => total + trianglesOf(mesh), 0);
    expect(sum(seen)).toBeLessThan(sum(meshes) / 4);
    expect(seen.length).toBeLessThan(60);
  });

  it('draws what lies behind everything last', () => {
    const meshes = drawn('camera');
    const last = Math.max(...meshes.map(({ renderOrder }) => renderOrder));
    const behind = meshes.filter(({ renderOrder }) => renderOrder === last);
    const bounds = behind.map(({ geometry }) => {
      geometry.computeBoundingBox();
      const { min, max } = geometry.boundingBox ?? {};
      return Math.round((max?.x ?? 0) - (min?.x ?? 0));
    });
    // Floor and shell, and the shell's windows: each as wide as the place.
    const width = Math.round(SAMPLE_LAYOUT.bounds.max[0] - SAMPLE_LAYOUT.bounds.min[0]);
    expect(bounds.length).toBeLessThan(meshes.length / 4);
    for (const wide of bounds) expect(wide).toBeGreaterThanOrEqual(width - 1);
  });
});
