import {
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  Matrix4,
  PlaneGeometry,
  Quaternion,
  ShaderMaterial,
  Vector3,
} from 'three';
import { carriedPadId, furnitureOf, type ScenePlace } from '../../protocol/wire/place.ts';
import { shadowTexture } from '../props/textures.ts';
import { withMaterials } from './mesh-materials.ts';
import { sendChanged } from './send-changed.ts';

/**
 * Soft dark spots below things, which show that they stand. They are cheap enough for the cameras: one draw call, no shadow map.
 */
export interface ContactShadows {
  mesh: InstancedMesh;
  /** Begins a frame. */
  clear(): void;
  /**
   * Adds the shadow of something whose lowest point is at `bottomZ`, on the surface below it.
   * @param sizeX metres, along its heading; @param strength 0…1 when it touches
   */
  add(x: number, y: number, bottomZ: number, yawRad: number, sizeX: number, sizeY: number, strength: number): void;
  /** Ends a frame. */
  flush(): void;
  dispose(): void;
}

interface Support {
  x: number;
  y: number;
  halfX: number;
  halfY: number;
  topZ: number;
}

const CAPACITY = 128;
/** A thing higher than this above the surface below it casts no contact shadow. */
const FADE_HEIGHT_M = 0.35;
/** Height above the surface, over the lane lines. */
const LIFT_M = 0.004;
const Z_AXIS = new Vector3(0, 0, 1);

const _add_position = new Vector3();
const _add_turn = new Quaternion();
const _add_scale = new Vector3();
const _add_matrix = new Matrix4();

/** @param depth scales all strengths: lower where a shadow map darkens too */
export function createContactShadows(layout: ScenePlace, depth: number): ContactShadows {
  const supports = supportsOf(layout);
  const texture = shadowTexture();
  const material = new ShaderMaterial({
    uniforms: { map: { value: texture } },
    vertexShader: `
      attribute float strength;
      varying float vStrength;
      varying vec2 vUv;
      void main() {
        vUv = uv;
        vStrength = strength;
        gl_Position = projectionMatrix * modelViewMatrix * instanceMatrix * vec4(position, 1.0);
      }`,
    fragmentShader: `
      uniform sampler2D map;
      varying float vStrength;
      varying vec2 vUv;
      void main() { gl_FragColor = vec4(0.0, 0.0, 0.0, texture2D(map, vUv).a * vStrength); }`,
    transparent: true,
    depthWrite: false,
  });
  const geometry = new PlaneGeometry(1, 1);
  const strengths = new InstancedBufferAttribute(new Float32Array(CAPACITY), 1);
  strengths.setUsage(DynamicDrawUsage);
  geometry.setAttribute('strength', strengths);
  const mesh = withMaterials(new InstancedMesh(geometry, material, CAPACITY), (look) => (look === 'natural' ? material : null));
  mesh.instanceMatrix.setUsage(DynamicDrawUsage);
  mesh.frustumCulled = false;
  mesh.count = 0;
  mesh.raycast = () => {};
  return {
    mesh,
    clear() {
      mesh.count = 0;
    },
    add(x, y, bottomZ, yawRad, sizeX, sizeY, strength) {
      if (mesh.count >= CAPACITY) return;
      const surface = surfaceBelow(supports, x, y, bottomZ);
      const height = Math.max(0, bottomZ - surface);
      if (height > FADE_HEIGHT_M) return;
      const spread = 1 + height;
      _add_position.set(x, y, surface + LIFT_M);
      _add_turn.setFromAxisAngle(Z_AXIS, yawRad);
      _add_scale.set(sizeX * spread, sizeY * spread, 1);
      mesh.setMatrixAt(mesh.count, _add_matrix.compose(_add_position, _add_turn, _add_scale));
      strengths.setX(mesh.count, depth * strength * (1 - height / FADE_HEIGHT_M) ** 2);
      mesh.count += 1;
    },
    flush() {
      sendChanged(mesh.instanceMatrix, mesh.count);
      sendChanged(strengths, mesh.count);
    },
    dispose() {
      texture.dispose();
      material.dispose();
    },
  };
}

/** Returns the surfaces above the floor that things stand on. */
function supportsOf(layout: ScenePlace): Support[] {
  return layout.obstacles
    .filter((obstacle) => carriedPadId(furnitureOf(layout, obstacle.obstacle_id)) !== null)
    .map(({ pose, size }) => ({
      x: pose.position[0],
      y: pose.position[1],
      halfX: size[0] / 2,
      halfY: size[1] / 2,
      topZ: pose.position[2] + size[2] / 2,
    }));
}

function surfaceBelow(supports: readonly Support[], x: number, y: number, z: number): number {
  let surface = 0;
  for (const support of supports) {
    const inside = Math.abs(x - support.x) <= support.halfX && Math.abs(y - support.y) <= support.halfY;
    if (inside && support.topZ <= z + 0.03) surface = Math.max(surface, support.topZ);
  }
  return surface;
}
