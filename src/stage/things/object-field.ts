import {
  type BufferGeometry,
  Color,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  Quaternion,
  Vector3,
} from 'three';
import { quatToYaw, type Vec3 } from '../../protocol/wire/geometry.ts';
import type { ThingRender } from '../../protocol/wire/render-state.ts';
import { type BoxPart, containerParts, sizeOf, type ThingShape } from '../../protocol/wire/thing-shape.ts';
import { box } from '../geometry/boxes.ts';
import type { ContactShadows } from '../look/contact-shadows.ts';
import type { MaterialKit } from '../look/materials.ts';
import { applyLook, withMaterials } from '../look/mesh-materials.ts';
import { sendChanged } from '../look/send-changed.ts';
import type { Look } from '../types.ts';
import { thingColour } from './thing-colour.ts';

/**
 * All things other than cubes, in two draw calls: boxes and the walls of containers are instances of one box, cylinders of one
 * cylinder.
 */
export interface ObjectField {
  root: Group;
  /** Draws all things other than cubes. */
  update(things: readonly ThingRender[], look: Look, shadows: ContactShadows): void;
  dispose(): void;
}

const FIRST_CAPACITY = 16;
const ROUND_SIDES = 40;
const SHADOW_STRENGTH = 0.62;
const SHADOW_BEYOND_M = 0.1;

const _place = new Vector3();
const _offset = new Vector3();
const _scale = new Vector3();
const _turn = new Quaternion();
const _matrix = new Matrix4();
const _colour = new Color();
const _up = new Vector3();

/** An instance of a unit shape: where it is in its thing, and how large. */
const partsOf = (shape: ThingShape): readonly BoxPart[] =>
  shape.kind === 'container' ? containerParts(shape.size, shape.wallM) : [{ centre: [0, 0, 0], size: sizeOf(shape) }];

export function createObjectField(kit: MaterialKit): ObjectField {
  const root = new Group();
  const boxes = createBatch(kit, root, 'objects of flat sides', white(box([1, 1, 1])));
  const rounds = createBatch(
    kit,
    root,
    'round objects',
    white(new CylinderGeometry(0.5, 0.5, 1, ROUND_SIDES).rotateX(Math.PI / 2)),
  );
  return {
    root,
    update(things, look, shadows) {
      boxes.begin();
      rounds.begin();
      for (const thing of things) {
        if (!thing.object) continue;
        const { shape } = thing.object;
        const batch = shape.kind === 'cylinder' ? rounds : boxes;
        thingColour(_colour, thing, look);
        for (const part of partsOf(shape)) batch.add(thing, part, look);
        addShadow(shadows, thing, shape);
      }
      boxes.end();
      rounds.end();
    },
    dispose() {
      boxes.dispose();
      rounds.dispose();
    },
  };
}

/**
 * Adds the shadow of a thing as long and wide as it is when it stands upright; one that lies on its side is as dark a little
 * wider.
 */
function addShadow(shadows: ContactShadows, { position: [x, y, z], orientation }: ThingRender, shape: ThingShape): void {
  const size = sizeOf(shape);
  _turn.set(...orientation).conjugate();
  _up.set(0, 0, 1).applyQuaternion(_turn);
  const halfZ =
    shape.kind === 'cylinder'
      ? (Math.abs(_up.z) * size[2]) / 2 + shape.radiusM * Math.sqrt(Math.max(0, 1 - _up.z * _up.z))
      : (Math.abs(_up.x) * size[0] + Math.abs(_up.y) * size[1] + Math.abs(_up.z) * size[2]) / 2;
  const [sizeX, sizeY]: readonly [number, number] =
    Math.abs(_up.z) > 0.7 ? [size[0], size[1]] : [Math.max(size[0], size[1]), Math.max(size[2], size[1])];
  shadows.add(x, y, z - halfZ, quatToYaw(orientation), sizeX + SHADOW_BEYOND_M, sizeY + SHADOW_BEYOND_M, SHADOW_STRENGTH);
}

interface Batch {
  begin(): void;
  /** Adds an instance in the current colour. */
  add(thing: ThingRender, part: { centre: Vec3; size: Vec3 }, look: Look): void;
  end(): void;
  dispose(): void;
}

function createBatch(kit: MaterialKit, root: Group, name: string, geometry: BufferGeometry): Batch {
  let mesh = makeMesh(FIRST_CAPACITY);
  let count = 0;

  function makeMesh(capacity: number): InstancedMesh {
    const made = withMaterials(new InstancedMesh(geometry, undefined, capacity), (look) =>
      kit.material(look === 'natural' ? 'natural' : 'plain', 'board', null),
    );
    made.instanceMatrix.setUsage(DynamicDrawUsage);
    made.setColorAt(0, new Color(0xffffff));
    made.frustumCulled = false;
    made.castShadow = kit.rich;
    made.receiveShadow = kit.rich;
    made.count = 0;
    made.name = name;
    root.add(made);
    return made;
  }

  /** Doubles the room for instances; those of this frame stay. */
  function grow(look: Look): void {
    const before = mesh;
    mesh = makeMesh(2 * before.instanceMatrix.count);
    for (let k = 0; k < count; k += 1) {
      before.getMatrixAt(k, _matrix);
      mesh.setMatrixAt(k, _matrix);
    }
    if (before.instanceColor && mesh.instanceColor) mesh.instanceColor.array.set(before.instanceColor.array);
    root.remove(before);
    before.dispose();
    applyLook(mesh, look);
  }

  return {
    begin() {
      count = 0;
    },
    add({ position, orientation }, { centre, size }, look) {
      if (count === mesh.instanceMatrix.count) grow(look);
      _turn.set(...orientation);
      _place.set(...position).add(_offset.set(...centre).applyQuaternion(_turn));
      mesh.setMatrixAt(count, _matrix.compose(_place, _turn, _scale.set(...size)));
      mesh.setColorAt(count, _colour);
      count += 1;
    },
    end() {
      mesh.count = count;
      sendChanged(mesh.instanceMatrix, count);
      if (mesh.instanceColor) sendChanged(mesh.instanceColor, count);
      mesh.boundingSphere = null;
    },
    dispose() {
      mesh.dispose();
      geometry.dispose();
    },
  };
}

/** Returns a geometry whose vertices are white: instances bring the colour. */
function white(geometry: BufferGeometry): BufferGeometry {
  const position = geometry.getAttribute('position');
  geometry.setAttribute('color', position.clone().copyArray(new Float32Array(position.count * 3).fill(1)));
  geometry.deleteAttribute('uv');
  return geometry;
}
