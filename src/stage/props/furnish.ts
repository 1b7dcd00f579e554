import { type BufferGeometry, Color, Group, InstancedMesh, Mesh } from 'three';
import { carriedPadId, type Furniture, furnitureOf, type ScenePlace } from '../../protocol/wire/place.ts';
import type { FixtureRender } from '../../protocol/wire/render-state.ts';
import type { Obstacle } from '../../protocol/wire/scene.ts';
import { roundedBox } from '../geometry/boxes.ts';
import { type Finish, isGlowing } from '../geometry/finish.ts';
import { mergeByFinish, mergePainted, type Part, part } from '../geometry/paint.ts';
import { asGiven, longways, moved, standing } from '../geometry/placed.ts';
import type { MaterialKit } from '../look/materials.ts';
import { disposeGeometries, withMaterials } from '../look/mesh-materials.ts';
import { PALETTE as P } from '../look/palette.ts';
import { padColour } from '../look/people-palette.ts';
import { seededRandom } from '../look/random.ts';
import type { SceneLook } from '../scenes/scene-look.ts';
import type { Steps } from '../steps.ts';
import { infeedParts } from './conveyor.ts';
import { lineParts } from './floor.ts';
import { createGoods } from './goods.ts';
import { palletParts } from './pallets.ts';
import { rackGoods, rackParts, type Stored } from './racks.ts';
import { slabParts } from './shell.ts';
import { signParts } from './signs.ts';
import { type Belt, beltSurface, beltTopZ, floorSurface } from './surfaces.ts';
import { tableParts } from './tables.ts';

/** All fixed parts of the place, and the belts. */
export interface FurnishedPlace {
  root: Group;
  /** Moves the animated parts: the rubber of belts. */
  moveFixtures(fixtures: readonly FixtureRender[]): void;
  dispose(): void;
}

/** Floor and walls lie behind everything. They are drawn last, when other things already cover most of their pixels. */
const BEHIND = 1;

/** Builds floor, shell and all obstacles of a place as furniture; any other obstacle becomes a grey box. */
export function* furnishSteps(layout: ScenePlace, kit: MaterialKit, look: SceneLook): Steps<FurnishedPlace> {
  const root = new Group();
  const shell = [...look.shellParts(layout, kit.tone, kit.audience), ...slabParts(layout.bounds)];
  /**
   * The things in the place. With a GPU they are merged; for software rendering they stay separate, so that things out of sight
   * are skipped.
   */
  const things: Part[] = [];
  const stand = (parts: Part[]): void => {
    if (kit.rich) things.push(...parts);
    else root.add(...meshesOf(parts, kit, null));
  };
  const goods = createGoods(kit.tone);
  const stored: Stored[] = [];
  const owned: { dispose(): void }[] = [];
  const belts = new Map<string, Belt>();

  for (const obstacle of layout.obstacles) {
    yield;
    const piece = furnitureOf(layout, obstacle.obstacle_id);
    const dressed = look.dressed?.boxParts(obstacle);
    if (dressed) {
      const padId = carriedPadId(piece);
      if (padId === null) stand(dressed);
      else root.add(...meshesOf(dressed, kit, padId));
      continue;
    }
    switch (piece?.kind) {
      case 'wall':
        break;
      case 'rack': {
        const { matrix, size } = longways(obstacle);
        const own = rackGoods(size, seededRandom(obstacle.obstacle_id));
        for (const good of own) good.matrix.premultiply(matrix);
        const rack = moved(rackParts(size), matrix);
        if (kit.rich) stored.push(...own);
        else rack.push(...own.map(goods.part));
        stand(rack);
        break;
      }
      case 'pallet': {
        const { matrix, size } = asGiven(obstacle);
        root.add(...meshesOf(moved(palletParts(size, seededRandom(obstacle.obstacle_id)), matrix), kit, piece.padId));
        break;
      }
      case 'table': {
        const { matrix, size } = asGiven(obstacle);
        root.add(...meshesOf(moved(tableParts(size), matrix), kit, piece.padId));
        break;
      }
      case 'sign':
        stand(signOf(obstacle, piece, layout, kit));
        break;
      case 'infeed':
        stand(infeedOf(obstacle, piece, layout));
        break;
      case 'belt': {
        const belt = beltSurface(obstacle, layout, kit, piece.padId);
        root.add(...meshesOf(belt.parts, kit, piece.padId), belt.mesh);
        owned.push(belt);
        belts.set(piece.id, belt);
        break;
      }
      default: {
        const { matrix, size } = asGiven(obstacle);
        stand(moved([part('board', P.tote, roundedBox(size, 0.015))], matrix));
      }
    }
  }
  yield;
  const floor = yield* floorSurface(layout, kit, look.dressed?.floor ?? null);
  owned.push(floor);
  yield;
  const behind = [floor.mesh, ...meshesOf(kit.rich ? [...things, ...shell] : shell, kit, null)];
  if (!kit.rich) for (const mesh of behind) mesh.renderOrder = BEHIND;
  root.add(...behind);
  yield;
  const flat = [...(look.dressed?.rugParts() ?? []), ...lineParts(layout, kit.audience === 'people')];
  for (const lines of meshesOf(flat, kit, null)) root.add(lines);
  yield;
  if (stored.length > 0) root.add(...goodsOf(stored, goods.shape, kit));
  goods.dispose();
  root.traverse((object) => {
    object.matrixAutoUpdate = false;
  });
  return {
    root,
    moveFixtures(fixtures) {
      for (const { id, travelM } of fixtures) belts.get(id)?.setTravel(travelM);
    },
    dispose() {
      disposeGeometries(root);
      for (const thing of owned) thing.dispose();
    },
  };
}

/**
 * Returns meshes of world-frame parts: one per finish where materials differ by it, otherwise one for lit and one for glowing
 * parts.
 */
function meshesOf(parts: Part[], kit: MaterialKit, entityId: string | null): Mesh[] {
  const mesh = (finish: Finish, geometry: BufferGeometry): Mesh => {
    const made = withMaterials(new Mesh(geometry), (look) => kit.material(look, finish, entityId));
    made.receiveShadow = kit.rich;
    // Walls and ceiling would keep the key light out of the place, so they cast no shadow.
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

/** Returns goods as instances: two draw calls for all of them. */
function goodsOf(stored: readonly Stored[], shape: (kind: Stored['kind']) => BufferGeometry, kit: MaterialKit): InstancedMesh[] {
  return (['carton', 'tote'] as const).flatMap((kind) => {
    const goods = stored.filter((good) => good.kind === kind);
    if (goods.length === 0) return [];
    const mesh = withMaterials(new InstancedMesh(shape(kind).clone(), undefined, goods.length), (look) =>
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

/** Returns the sign at its obstacle, facing the middle of the pad that it names. */
function signOf(
  obstacle: Obstacle,
  { padId, letter }: Furniture & { kind: 'sign' },
  layout: ScenePlace,
  kit: MaterialKit,
): Part[] {
  const pad = layout.pads.find(({ pad_id }) => pad_id === padId);
  const [x, y, z] = obstacle.pose.position;
  const toward = pad ? Math.atan2(pad.position[1] - y, pad.position[0] - x) : Math.PI / 2;
  const footZ = z - obstacle.size[2] / 2;
  const barColour = kit.audience === 'people' ? padColour(pad?.color, P.signInk) : P.signInk;
  return moved(signParts(letter, obstacle.size[2], barColour), standing([x, y, footZ], toward + Math.PI / 2));
}

function infeedOf(obstacle: Obstacle, { beltId }: Furniture & { kind: 'infeed' }, layout: ScenePlace): Part[] {
  const belt = layout.obstacles.find((other) => other.obstacle_id === beltId);
  const [x, y, z] = obstacle.pose.position;
  const [sx, sy, sz] = obstacle.size;
  const surface = belt ? beltTopZ(belt) : z - sz / 2;
  const [bx, by] = belt?.pose.position ?? [x, y - 1];
  // The mouth faces the belt's middle, along the nearer of the box's own axes.
  const alongY = Math.abs(by - y) > Math.abs(bx - x);
  const yawRad = alongY ? Math.sign(by - y) * (Math.PI / 2) : bx > x ? 0 : Math.PI;
  const size = alongY ? ([sy, sx, sz] as const) : ([sx, sy, sz] as const);
  return moved(infeedParts(size, z - sz / 2 - surface), standing([x, y, surface], yawRad));
}
