import { Color, type DataTexture, type Material, Matrix4, Mesh, MeshStandardMaterial } from 'three';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { Obstacle } from '../../protocol/wire/scene.ts';
import type { Part } from '../geometry/paint.ts';
import { longways, moved } from '../geometry/placed.ts';
import { cornerLitGround } from '../look/corner-light.ts';
import { floorShade } from '../look/light-rig.ts';
import type { MaterialKit } from '../look/materials.ts';
import { withMaterials } from '../look/mesh-materials.ts';
import { PALETTE as P } from '../look/palette.ts';
import type { DressedLook } from '../scenes/scene-look.ts';
import type { Steps } from '../steps.ts';
import { BELT_REPEAT_M, conveyorParts, rubberStrip } from './conveyor.ts';
import { floorGeometry, floorShadeTexture } from './floor.ts';
import { concreteTexture, noShadeTexture, type Reading, rubberTexture } from './textures.ts';

/** A textured surface of the place: floor or belt. */
export interface Surface {
  mesh: Mesh;
  dispose(): void;
}

/** The belt's rubber, and the parts that carry it. */
export interface Belt extends Surface {
  /** Parts of the conveyor without its rubber, world frame. */
  parts: Part[];
  /** @param travelM metres since the start */
  setTravel(travelM: number): void;
}

const readingOf = ({ rich }: MaterialKit): Reading => (rich ? 'colour' : 'channel');

/** @param floor another floor than one of concrete */
export function* floorSurface(layout: ScenePlace, kit: MaterialKit, floor: DressedLook['floor']): Steps<Surface> {
  const grain = (floor?.grain ?? concreteTexture)(readingOf(kit));
  yield;
  const shade = floorShadeTexture(layout, readingOf(kit));
  const hex = floor?.colour ?? kit.tone('wall', P.concrete);
  const colour = new Color(hex);
  // Without sheen the floor's light is the same everywhere.
  const natural = kit.rich
    ? new MeshStandardMaterial({ color: colour, map: grain, aoMap: shade, roughness: 0.62 })
    : cornerLitGround(kit.audience, { colour, grain, shade, light: new Color(...kit.tint).multiplyScalar(floorShade()) });
  const mesh = withMaterials(new Mesh(floorGeometry(layout.bounds)), (look) =>
    look === 'natural' ? natural : kit.unlit(look, hex, null),
  );
  return surface(mesh, kit, [grain, shade], natural);
}

/** @param entityId the pad that the belt belongs to */
export function beltSurface(obstacle: Obstacle, layout: ScenePlace, kit: MaterialKit, entityId: string | null): Belt {
  const { matrix, size } = longways(obstacle);
  const atSurface = new Matrix4().copy(matrix).multiply(new Matrix4().makeTranslation(0, 0, size[2] / 2));
  const grain = rubberTexture(readingOf(kit));
  const shade = noShadeTexture();
  const colour = new Color(P.beltRubber).multiplyScalar(2.1);
  const natural = kit.rich
    ? new MeshStandardMaterial({ map: grain, color: colour })
    : cornerLitGround(kit.audience, { colour, grain, shade, light: null });
  const mesh = withMaterials(new Mesh(rubberStrip(size[0], size[1]).applyMatrix4(atSurface)), (look) =>
    look === 'natural' ? natural : kit.unlit(look, P.beltRubber, entityId),
  );
  const direction = beltDirection(obstacle, layout);
  return {
    ...surface(mesh, kit, [grain, shade], natural),
    parts: moved(conveyorParts(size[0], size[1], beltTopZ(obstacle)), atSurface),
    setTravel(travelM) {
      // The texture grows with local x, so a mark that moves along +x needs an ever smaller offset.
      const repeats = (-direction * travelM) / BELT_REPEAT_M;
      grain.offset.y = repeats - Math.floor(repeats);
    },
  };
}

/** Returns the height of the surface that cubes rest on. The source's slots give a cube's centre, half an edge above it. */
export function beltTopZ(belt: Obstacle): number {
  return belt.pose.position[2] + belt.size[2] / 2;
}

/** Returns +1 when the belt runs towards its local +x, -1 when towards -x: away from the infeed. */
function beltDirection(belt: Obstacle, layout: ScenePlace): 1 | -1 {
  const hood = layout.furniture.find((piece) => piece.kind === 'infeed' && piece.beltId === belt.obstacle_id);
  const infeed = layout.obstacles.find(({ obstacle_id }) => obstacle_id === hood?.id);
  if (!infeed) return 1;
  const local = new Matrix4().copy(longways(belt).matrix).invert();
  const [x, y, z] = infeed.pose.position;
  const e = local.elements;
  return (e[0] ?? 1) * x + (e[4] ?? 0) * y + (e[8] ?? 0) * z + (e[12] ?? 0) > 0 ? -1 : 1;
}

function surface(mesh: Mesh, kit: MaterialKit, textures: DataTexture[], natural: Material): Surface {
  mesh.receiveShadow = kit.rich;
  return {
    mesh,
    dispose() {
      for (const thing of [...textures, natural]) thing.dispose();
    },
  };
}
