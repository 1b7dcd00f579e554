import { Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three';
import { quatToYaw } from '../../protocol/wire/geometry.ts';
import type { ThingRender } from '../../protocol/wire/render-state.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import type { ContactShadows } from '../look/contact-shadows.ts';
import { forgetIdColour } from '../look/ids.ts';
import type { MaterialKit } from '../look/materials.ts';
import { applyLook, withMaterials } from '../look/mesh-materials.ts';
import { sendChanged } from '../look/send-changed.ts';
import type { Look } from '../types.ts';
import { cubeGeometry } from './cube-geometry.ts';
import { createObjectField, type ObjectField } from './object-field.ts';
import { thingColour } from './thing-colour.ts';

/** All movable things. Cubes are instances of one bevelled box: they come and go by id without extra draw calls. */
export interface ThingField {
  root: Group;
  /** Draws exactly these things. In a look of only one entity, draws only that one. */
  update(things: readonly ThingRender[], look: Look, shadows: ContactShadows): void;
  /** Ids of the cubes' instances in their order, by a ray's `instanceId`. */
  entityIds: readonly string[];
  dispose(): void;
}

const FIRST_CAPACITY = 32;
const ONE = new Vector3(1, 1, 1);

const _update_position = new Vector3();
const _update_turn = new Quaternion();
const _update_matrix = new Matrix4();
const _update_colour = new Color();

/** Releases the numbers of things that are gone. */
function numberOnly(numbered: Set<string>, things: readonly ThingRender[]): void {
  const present = new Set(things.map(({ entityId }) => entityId));
  for (const entityId of numbered) if (!present.has(entityId)) forgetIdColour(entityId);
  numbered.clear();
  for (const entityId of present) numbered.add(entityId);
}

export function createThingField(kit: MaterialKit): ThingField {
  const root = new Group();
  const geometry = cubeGeometry();
  const entityIds: string[] = [];
  /** Things that have a number in id pictures. */
  const numbered = new Set<string>();
  let mesh = makeMesh(FIRST_CAPACITY);
  /** Created with the first thing other than a cube, because most scenes contain only cubes. */
  let objects: ObjectField | null = null;

  function makeMesh(capacity: number): InstancedMesh {
    // Segmentation also uses the instance's colour, so the material is the white one of `plain`.
    const made = withMaterials(new InstancedMesh(geometry, undefined, capacity), (look) =>
      kit.material(look === 'natural' ? 'natural' : 'plain', 'board', null),
    );
    made.instanceMatrix.setUsage(DynamicDrawUsage);
    made.setColorAt(0, _update_colour.set(0xffffff));
    made.frustumCulled = false;
    made.castShadow = kit.rich;
    made.receiveShadow = kit.rich;
    made.count = 0;
    made.name = 'cubes';
    root.add(made);
    return made;
  }

  return {
    root,
    entityIds,
    update(all, look, shadows) {
      if (typeof look !== 'string') numberOnly(numbered, all);
      const shown = typeof look === 'string' || look.only === null ? all : all.filter((thing) => thing.entityId === look.only);
      const cubes = shown.filter(({ object }) => object === undefined);
      if (!objects && all.some(({ object }) => object !== undefined)) {
        objects = createObjectField(kit);
        root.add(objects.root);
        applyLook(root, look);
      }
      objects?.update(shown, look, shadows);
      if (cubes.length > mesh.instanceMatrix.count) {
        root.remove(mesh);
        mesh.dispose();
        mesh = makeMesh(2 ** Math.ceil(Math.log2(cubes.length)));
        applyLook(root, look);
      }
      entityIds.length = cubes.length;
      cubes.forEach((cube, k) => {
        const [x, y, z] = cube.position;
        entityIds[k] = cube.entityId;
        mesh.setMatrixAt(k, _update_matrix.compose(_update_position.set(x, y, z), _update_turn.set(...cube.orientation), ONE));
        mesh.setColorAt(k, thingColour(_update_colour, cube, look));
        shadows.add(x, y, z - CUBE_EDGE_M / 2, quatToYaw(cube.orientation), CUBE_EDGE_M * 1.7, CUBE_EDGE_M * 1.7, 0.62);
      });
      mesh.count = cubes.length;
      sendChanged(mesh.instanceMatrix, cubes.length);
      if (mesh.instanceColor) sendChanged(mesh.instanceColor, cubes.length);
      // Rays (a person's click) are tested against this sphere; it is stale after every move.
      mesh.boundingSphere = null;
    },
    dispose() {
      mesh.dispose();
      objects?.dispose();
      geometry.dispose();
    },
  };
}
