import {
  type BufferGeometry,
  Color,
  type DataTexture,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  MeshStandardMaterial,
} from 'three';
import type { Obstacle, Pad, SceneLayout } from '../../protocol/scene.ts';
import { roundedBox } from '../geometry/boxes.ts';
import { type Finish, isGlowing, mergeByFinish, mergePainted, type Part, part } from '../geometry/paint.ts';
import { asGiven, longways, moved, standing } from '../geometry/placed.ts';
import { disposeGeometries, dressed } from '../look/dress.ts';
import { floorShade } from '../look/light-rig.ts';
import type { MaterialKit } from '../look/materials.ts';
import { PALETTE as P } from '../look/palette.ts';
import { padColour } from '../look/people-palette.ts';
import { seededRandom } from '../look/random.ts';
import type { Steps } from '../steps.ts';
import { BELT_REPEAT_M, conveyorParts, infeedParts, rubberStrip } from './conveyor.ts';
import { floorGeometry, floorShadeTexture, lineParts } from './floor.ts';
import { unitCarton, unitTote } from './goods.ts';
import { hallParts, slabParts } from './hall.ts';
import { palletParts } from './pallets.ts';
import { rackGoods, rackParts, type Stored } from './racks.ts';
import { signParts } from './signs.ts';
import { concreteTexture, rubberTexture } from './textures.ts';

/** Everything of the place that does not move by itself. */
export interface Warehouse {
  root: Group;
  /** Moves the belt's rubber. @param travelM metres since the start */
  setBeltTravel(travelM: number): void;
  dispose(): void;
}

const letterOf = (obstacleId: string): string => obstacleId.split('_')[1] ?? '';

/** Builds the hall and all obstacles of a layout; their kind is the first part of `obstacle_id`, an unknown kind is a grey box. */
export function* warehouseSteps(layout: SceneLayout, kit: MaterialKit): Steps<Warehouse> {
  const root = new Group();
  const fixed: Part[] = [...hallParts(layout.bounds, kit.tone), ...slabParts(layout.bounds)];
  const stored: Stored[] = [];
  const textures: DataTexture[] = [];
  const owned: { dispose(): void }[] = [];
  let setBeltTravel = (_travelM: number): void => {};

  for (const obstacle of layout.obstacles) {
    yield;
    const [kind] = obstacle.obstacle_id.split('_');
    switch (kind) {
      case 'wall':
        break;
      case 'rack': {
        const { matrix, size } = longways(obstacle);
        fixed.push(...moved(rackParts(size), matrix));
        for (const good of rackGoods(size, seededRandom(obstacle.obstacle_id)))
          stored.push({ ...good, matrix: good.matrix.premultiply(matrix) });
        break;
      }
      case 'pallet': {
        const { matrix, size } = asGiven(obstacle);
        root.add(
          ...meshesOf(moved(palletParts(size, seededRandom(obstacle.obstacle_id)), matrix), kit, padIdAt(layout.pads, obstacle)),
        );
        break;
      }
      case 'sign':
        fixed.push(...signOf(obstacle, layout, kit));
        break;
      case 'infeed':
        fixed.push(...infeedOf(obstacle, layout));
        break;
      case 'belt': {
        const belt = beltOf(obstacle, layout, kit);
        root.add(...belt.meshes);
        textures.push(belt.texture);
        owned.push(belt);
        setBeltTravel = belt.setTravel;
        break;
      }
      default: {
        const { matrix, size } = asGiven(obstacle);
        fixed.push(...moved([part('board', P.tote, roundedBox(size, 0.015))], matrix));
      }
    }
  }
  yield;
  const floor = yield* floorOf(layout, kit);
  owned.push(floor);
  yield;
  root.add(floor.mesh, ...meshesOf(fixed, kit, null));
  yield;
  root.add(...meshesOf(lineParts(layout, kit.forPeople), kit, null));
  yield;
  root.add(...goodsOf(stored, kit));
  root.traverse((object) => {
    object.matrixAutoUpdate = false;
  });
  return {
    root,
    setBeltTravel: (travelM) => setBeltTravel(travelM),
    dispose() {
      disposeGeometries(root);
      for (const thing of [...textures, ...owned]) thing.dispose();
    },
  };
}

/** The pad that lies over an obstacle, which is then drawn as that entity. */
function padIdAt(pads: readonly Pad[], obstacle: Obstacle): string | null {
  const [x, y] = obstacle.pose.position;
  const [hx, hy] = [obstacle.size[0] / 2, obstacle.size[1] / 2];
  return pads.find((pad) => Math.abs(pad.position[0] - x) <= hx && Math.abs(pad.position[1] - y) <= hy)?.pad_id ?? null;
}

/** Meshes of world-frame parts: one a finish where materials differ by it, else one for what is lit and one for what glows. */
function meshesOf(parts: Part[], kit: MaterialKit, entityId: string | null): Mesh[] {
  const mesh = (finish: Finish, geometry: BufferGeometry): Mesh => {
    const made = dressed(new Mesh(geometry), (look) => kit.material(look, finish, entityId));
    made.receiveShadow = kit.rich;
    // Walls and ceiling would keep the key light out of the hall.
    made.castShadow = kit.rich && finish !== 'wall' && !isGlowing(finish);
    return made;
  };
  if (kit.rich) return [...mergeByFinish(parts, kit.tone)].map(([finish, geometry]) => mesh(finish, geometry));
  const glowing = parts.filter((piece) => isGlowing(piece.finish));
  const matt = parts.filter((piece) => !isGlowing(piece.finish));
  return [
    mesh('wall', mergePainted(matt, kit.tone)),
    ...(glowing.length > 0 ? [mesh('glow', mergePainted(glowing, kit.tone))] : []),
  ];
}

function goodsOf(stored: readonly Stored[], kit: MaterialKit): InstancedMesh[] {
  const shapes = { carton: unitCarton, tote: unitTote } as const;
  return (['carton', 'tote'] as const).flatMap((kind) => {
    const goods = stored.filter((good) => good.kind === kind);
    if (goods.length === 0) return [];
    const mesh = dressed(new InstancedMesh(shapes[kind](kit.tone), undefined, goods.length), (look) =>
      kit.material(look, 'board', null),
    );
    goods.forEach((good, k) => {
      mesh.setMatrixAt(k, good.matrix);
      mesh.setColorAt(k, new Color(good.tone, good.tone, good.tone));
    });
    mesh.receiveShadow = kit.rich;
    mesh.castShadow = kit.rich;
    return [mesh];
  });
}

/** A sign stands at its obstacle and looks over its pallet's middle, as far as there is one of the same letter. */
function signOf(obstacle: Obstacle, layout: SceneLayout, kit: MaterialKit): Part[] {
  const letter = letterOf(obstacle.obstacle_id);
  const pallet = layout.obstacles.find((other) => other.obstacle_id === `pallet_${letter}`);
  const [x, y, z] = obstacle.pose.position;
  const toward = pallet ? Math.atan2(pallet.pose.position[1] - y, pallet.pose.position[0] - x) : Math.PI / 2;
  const footZ = z - obstacle.size[2] / 2;
  const pad = layout.pads.find(({ pad_id }) => pad_id === `pad_${letter}`);
  const barColour = kit.forPeople ? padColour(pad?.color, P.signInk) : P.signInk;
  return moved(signParts(letter, obstacle.size[2], barColour), standing([x, y, footZ], toward + Math.PI / 2));
}

/** The surface cubes rest on: the source's slots say where a cube's centre is, half an edge above it. */
function beltTopZ(belt: Obstacle): number {
  return belt.pose.position[2] + belt.size[2] / 2;
}

/** +1 when the belt runs towards its local +x, -1 when towards -x: away from the infeed. */
function beltDirection(belt: Obstacle, layout: SceneLayout): 1 | -1 {
  const infeed = layout.obstacles.find((obstacle) => obstacle.obstacle_id.startsWith('infeed'));
  if (!infeed) return 1;
  const local = new Matrix4().copy(longways(belt).matrix).invert();
  const [x, y, z] = infeed.pose.position;
  const e = local.elements;
  return (e[0] ?? 1) * x + (e[4] ?? 0) * y + (e[8] ?? 0) * z + (e[12] ?? 0) > 0 ? -1 : 1;
}

function beltOf(obstacle: Obstacle, layout: SceneLayout, kit: MaterialKit) {
  const { matrix, size } = longways(obstacle);
  const topZ = beltTopZ(obstacle);
  const atSurface = new Matrix4().copy(matrix).multiply(new Matrix4().makeTranslation(0, 0, size[2] / 2));
  const entityId = padIdAt(layout.pads, obstacle);
  const texture = rubberTexture();
  const Rubber = kit.rich ? MeshStandardMaterial : MeshLambertMaterial;
  const natural = new Rubber({ map: texture, color: new Color(P.beltRubber).multiplyScalar(2.1) });
  const strip = rubberStrip(size[0], size[1]).applyMatrix4(atSurface);
  const rubber = dressed(new Mesh(strip), (look) => (look === 'natural' ? natural : kit.unlit(look, P.beltRubber, entityId)));
  rubber.receiveShadow = kit.rich;
  const direction = beltDirection(obstacle, layout);
  return {
    meshes: [...meshesOf(moved(conveyorParts(size[0], size[1], topZ), atSurface), kit, entityId), rubber],
    texture,
    setTravel(travelM: number): void {
      // The texture grows with local x: to carry a mark along +x it is read ever further back.
      texture.offset.y = (-direction * travelM) / BELT_REPEAT_M - Math.floor((-direction * travelM) / BELT_REPEAT_M);
    },
    dispose: () => natural.dispose(),
  };
}

function infeedOf(obstacle: Obstacle, layout: SceneLayout): Part[] {
  const belt = layout.obstacles.find((other) => other.obstacle_id.startsWith('belt'));
  const [x, y, z] = obstacle.pose.position;
  const [sx, sy, sz] = obstacle.size;
  const surface = belt ? beltTopZ(belt) : z - sz / 2;
  const [bx, by] = belt?.pose.position ?? [x, y - 1];
  // The mouth looks to the belt's middle, along the nearer of the box's own axes.
  const alongY = Math.abs(by - y) > Math.abs(bx - x);
  const yawRad = alongY ? Math.sign(by - y) * (Math.PI / 2) : bx > x ? 0 : Math.PI;
  const size = alongY ? ([sy, sx, sz] as const) : ([sx, sy, sz] as const);
  return moved(infeedParts(size, z - sz / 2 - surface), standing([x, y, surface], yawRad));
}

function* floorOf(layout: SceneLayout, kit: MaterialKit) {
  const concrete = concreteTexture();
  yield;
  const shade = floorShadeTexture(layout);
  // Without sheen the floor is unlit and baked: its light is the same everywhere, and it fills the most pixels.
  const natural = kit.rich
    ? new MeshStandardMaterial({ color: kit.tone('wall', P.concrete), map: concrete, aoMap: shade, roughness: 0.62 })
    : new MeshBasicMaterial({
        color: new Color(...kit.tint).multiply(new Color(kit.tone('wall', P.concrete))).multiplyScalar(floorShade()),
        map: concrete,
        aoMap: shade,
      });
  const mesh = dressed(new Mesh(floorGeometry(layout.bounds)), (look) =>
    look === 'natural' ? natural : kit.unlit(look, P.concrete, null),
  );
  mesh.receiveShadow = kit.rich;
  return {
    mesh,
    dispose(): void {
      for (const thing of [concrete, shade, natural]) thing.dispose();
    },
  };
}
