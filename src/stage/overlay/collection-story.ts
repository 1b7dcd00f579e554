import {
  BoxGeometry,
  type BufferGeometry,
  Color,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  Quaternion,
  Vector3,
} from 'three';
import { mergeGeometries } from 'three/addons/utils/BufferGeometryUtils.js';
import type { CollectedRender } from '../../protocol/wire/render-state.ts';
import { CUBE_EDGE_M, type SceneLayout } from '../../protocol/wire/scene.ts';
import type { ContactShadows } from '../look/contact-shadows.ts';
import type { MaterialKit } from '../look/materials.ts';
import { withMaterials } from '../look/mesh-materials.ts';
import { CUBE_HEX, PALETTE } from '../look/palette.ts';
import { sendChanged } from '../look/send-changed.ts';
import { cubeGeometry } from '../things/cube-geometry.ts';
import type { Look } from '../types.ts';
import { type StoryMoment, storyAt } from './collection-moments.ts';

/**
 * The animation of a delivered cube, for people: a light reads it, a lift in the pallet takes it down, and the hatch closes. It
 * has left the physics by then, so no robot camera shows it.
 */
export interface CollectionStory {
  root: Group;
  /** @param still for a person who wants less motion: the cube is framed and then gone */
  update(collected: readonly CollectedRender[], look: Look, still: boolean, shadows: ContactShadows): void;
  dispose(): void;
}

/** Most cubes animated at once, the latest ones. Even at ten times the speed of time, a robot delivers no faster. */
const MOST_SHOWN = 3;
const HALF_M = CUBE_EDGE_M / 2;
const FRAME_HALF_M = HALF_M + 0.014;
const FRAME_BAR_M = 0.009;
const HATCH_M = CUBE_EDGE_M + 0.02;
/** Height above the boards of the deck, so that the two do not overlap. */
const OVER_DECK_M = 0.005;
/** A cube whose lowest point is this near to the deck stands on it, and not on another cube. */
const ON_DECK_M = 0.02;
const HATCH_DARK = 0x232126;
const Z_AXIS = new Vector3(0, 0, 1);

const _turn = new Quaternion();
const _position = new Vector3();
const _scale = new Vector3();
const _matrix = new Matrix4();
const _pressed = new Matrix4();
const _colour = new Color();

export function createCollectionStory(layout: SceneLayout, kit: MaterialKit): CollectionStory {
  const root = new Group();
  const cubes = withMaterials(new InstancedMesh(cubeGeometry(), undefined, MOST_SHOWN), (look) =>
    look === 'natural' || look === 'plain' ? kit.material(look, 'board', null) : null,
  );
  cubes.instanceMatrix.setUsage(DynamicDrawUsage);
  cubes.setColorAt(0, _colour.set(0xffffff));
  cubes.frustumCulled = false;
  cubes.castShadow = kit.rich;
  cubes.receiveShadow = kit.rich;
  cubes.count = 0;
  cubes.name = 'collected cubes';
  root.add(cubes);
  const frameGeometry = squareFrame();
  const hatchGeometry = new PlaneGeometry(HATCH_M, HATCH_M);
  const props = Array.from({ length: MOST_SHOWN }, () => createProps(frameGeometry, hatchGeometry));
  for (const { scanner, rim, hatch } of props) root.add(hatch, rim, scanner);
  root.traverse((object) => {
    object.raycast = () => {};
  });
  const deckZ = (padId: string): number => layout.pads.find(({ pad_id }) => pad_id === padId)?.position[2] ?? 0;

  function show(one: CollectedRender, moment: StoryMoment, { scanner, rim, hatch }: Props, shadows: ContactShadows): void {
    const [x, y, z] = one.position;
    const bottomZ = z - HALF_M;
    const onDeck = bottomZ - deckZ(one.padId) < ON_DECK_M;
    const yawRad = faceYaw(one.orientation);
    const place = (mesh: Mesh, atZ: number, opacity: number): void => {
      mesh.visible = opacity > 0;
      mesh.position.set(x, y, atZ);
      mesh.rotation.z = yawRad;
      if (mesh.material instanceof MeshBasicMaterial) mesh.material.opacity = opacity;
    };
    place(scanner, bottomZ + FRAME_BAR_M / 2 + moment.scannerHeight * (CUBE_EDGE_M - FRAME_BAR_M), moment.scannerLight);
    place(rim, bottomZ + OVER_DECK_M, moment.rimLight);
    place(hatch, bottomZ + OVER_DECK_M, onDeck ? moment.hatchOpen : 0);
    hatch.scale.x = Math.max(moment.hatchOpen, 0.001);
    if (hatch.material instanceof MeshBasicMaterial) hatch.material.opacity = 1;
    if (moment.sunk >= 1) return;
    // On another cube there is no way down, so the cube goes flat under the light instead.
    const sinksM = onDeck ? moment.sunk * (CUBE_EDGE_M + OVER_DECK_M) : 0;
    const height = onDeck ? 1 : 1 - moment.sunk;
    _matrix.compose(_position.set(0, 0, HALF_M), _turn.set(...one.orientation), _scale.set(1, 1, 1));
    _pressed.compose(_position.set(x, y, bottomZ - sinksM), _turn.identity(), _scale.set(1, 1, height));
    cubes.setMatrixAt(cubes.count, _pressed.multiply(_matrix));
    cubes.setColorAt(cubes.count, _colour.set(CUBE_HEX[one.colour]));
    cubes.count += 1;
    shadows.add(x, y, bottomZ, yawRad, CUBE_EDGE_M * 1.7, CUBE_EDGE_M * 1.7, 0.62 * (1 - moment.sunk));
  }

  return {
    root,
    update(collected, look, still, shadows) {
      cubes.count = 0;
      const isShown = look === 'natural' || look === 'plain';
      const latest = isShown ? collected.slice(-MOST_SHOWN) : [];
      props.forEach((prop, k) => {
        const one = latest[k];
        const moment = one && storyAt(one.ageS, still);
        if (one && moment) show(one, moment, prop, shadows);
        else for (const mesh of [prop.scanner, prop.rim, prop.hatch]) mesh.visible = false;
      });
      sendChanged(cubes.instanceMatrix, cubes.count);
      if (cubes.instanceColor) sendChanged(cubes.instanceColor, cubes.count);
    },
    dispose() {
      cubes.geometry.dispose();
      cubes.dispose();
      frameGeometry.dispose();
      hatchGeometry.dispose();
      for (const { scanner, rim, hatch } of props)
        for (const { material } of [scanner, rim, hatch]) if (material instanceof MeshBasicMaterial) material.dispose();
    },
  };
}

interface Props {
  scanner: Mesh;
  rim: Mesh;
  hatch: Mesh;
}

function createProps(frame: BufferGeometry, plane: BufferGeometry): Props {
  const light = (): Mesh =>
    new Mesh(
      frame,
      new MeshBasicMaterial({ color: PALETTE.accentGlow, toneMapped: false, transparent: true, depthWrite: false }),
    );
  const hatch = new Mesh(plane, new MeshBasicMaterial({ color: HATCH_DARK, transparent: true, depthWrite: false }));
  const [scanner, rim] = [light(), light()];
  for (const mesh of [hatch, rim, scanner]) {
    mesh.visible = false;
    mesh.rotation.order = 'ZYX';
    mesh.renderOrder = mesh === hatch ? 1 : 2;
  }
  return { scanner, rim, hatch };
}

/** Returns four bars round the sides of a cube, in the floor plane. */
function squareFrame(): BufferGeometry {
  const long = 2 * FRAME_HALF_M + FRAME_BAR_M;
  const bars = [-1, 1].flatMap((sign) => [
    new BoxGeometry(long, FRAME_BAR_M, FRAME_BAR_M).translate(0, sign * FRAME_HALF_M, 0),
    new BoxGeometry(FRAME_BAR_M, long, FRAME_BAR_M).translate(sign * FRAME_HALF_M, 0, 0),
  ]);
  const merged = mergeGeometries(bars, false);
  for (const bar of bars) bar.dispose();
  return merged;
}

/** Returns the heading of a side of a cube that lies flat on any of its sides, radians. */
function faceYaw(orientation: CollectedRender['orientation']): number {
  _turn.set(...orientation);
  const level = [new Vector3(1, 0, 0), new Vector3(0, 1, 0)]
    .map((axis) => axis.applyQuaternion(_turn))
    .sort((a, b) => Math.abs(a.dot(Z_AXIS)) - Math.abs(b.dot(Z_AXIS)))[0];
  return level ? Math.atan2(level.y, level.x) : 0;
}
