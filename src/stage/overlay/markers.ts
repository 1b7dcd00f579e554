import {
  BufferAttribute,
  BufferGeometry,
  CircleGeometry,
  DynamicDrawUsage,
  Group,
  Mesh,
  MeshBasicMaterial,
  type Object3D,
  RingGeometry,
  Shape,
  ShapeGeometry,
} from 'three';
import type { ScenePlace } from '../../protocol/wire/place.ts';
import type { Overlay, RenderState } from '../../protocol/wire/render-state.ts';
import { robotModel } from '../../protocol/wire/robots.ts';
import { CUBE_EDGE_M } from '../../protocol/wire/scene.ts';
import { CUBE_SHAPE, sizeOf } from '../../protocol/wire/thing-shape.ts';
import { entityBox } from '../entity-box.ts';
import type { PersonMarkers } from '../types.ts';
import { bracketGeometry } from './bracket.ts';
import { createFrustumMarker } from './frustum-marker.ts';
import { createOutline } from './outline.ts';
import { createReachMarker } from './reach-marker.ts';

/**
 * The markers that people see over the world: the path, the goal, the thing an action is about, and those one of them asked for.
 * They never appear in a robot's camera.
 */
export interface Markers {
  root: Group;
  update(overlay: Overlay, person: PersonMarkers, state: RenderState, timeS: number): void;
  dispose(): void;
}

const MARKER_COLOUR = 0xb26be0;
const PATH_WIDTH_M = 0.05;
const PATH_CAPACITY = 256;
/** Height above the floor, over lane lines and contact shadows. */
const LIFT_M = 0.008;
const HOVER = { colour: 0x2c2540, opacity: 0.6 };
const SELECTED = { colour: 0x7a3fe0, opacity: 1 };

/** Default markers, for a person who asked for nothing. */
export const PLAIN_MARKERS: PersonMarkers = {
  path: true,
  reach: false,
  frustum: false,
  hoveredId: null,
  selectedId: null,
  still: false,
  place: null,
};

export function createMarkers(layout: ScenePlace): Markers {
  const solid = new MeshBasicMaterial({
    color: MARKER_COLOUR,
    toneMapped: false,
    transparent: true,
    opacity: 0.92,
    depthWrite: false,
  });
  const faint = new MeshBasicMaterial({
    color: MARKER_COLOUR,
    toneMapped: false,
    transparent: true,
    opacity: 0.5,
    depthWrite: false,
  });
  const root = new Group();
  const path = new Mesh(pathGeometry(), faint);
  path.frustumCulled = false;
  const goal = goalMarker(solid, faint);
  const target = new Mesh(bracketGeometry(), solid);
  const place = placeMarker(robotModel(layout.robot).radiusM, solid, faint);
  const hovered = createOutline(HOVER.colour, HOVER.opacity);
  const selected = createOutline(SELECTED.colour, SELECTED.opacity);
  const reach = createReachMarker(MARKER_COLOUR, LIFT_M);
  const frustum = createFrustumMarker(MARKER_COLOUR);
  root.add(path, goal, target, place, hovered.object, selected.object, reach.object, frustum.object);
  root.traverse((object) => {
    object.raycast = () => {};
    object.renderOrder = 2;
  });
  let drawnPath: Overlay['path'] | null = null;
  return {
    root,
    update(overlay, person, state, timeS) {
      if (overlay.path !== drawnPath) {
        drawnPath = overlay.path;
        layPath(path.geometry, overlay.path);
      }
      path.visible = person.path && overlay.path.length > 1;
      goal.visible = person.path && overlay.goal !== null;
      if (overlay.goal) {
        goal.position.set(overlay.goal.x, overlay.goal.y, LIFT_M);
        goal.rotation.z = overlay.goal.yawRad;
      }
      placeTarget(target, overlay.targetEntityId, state, layout, timeS);
      place.visible = person.place !== null;
      if (person.place) place.position.set(person.place[0], person.place[1], LIFT_M);
      const { hoveredId, selectedId } = person;
      hovered.show(hoveredId === null || hoveredId === selectedId ? null : entityBox(hoveredId, state, layout));
      selected.show(selectedId === null ? null : entityBox(selectedId, state, layout));
      reach.show(person.reach ? state.rootPose.position : null);
      frustum.show(person.frustum ? state.cameras.pov : null);
    },
    dispose() {
      root.traverse((object: Object3D) => {
        if (object instanceof Mesh) object.geometry.dispose();
      });
      for (const marker of [hovered, selected, reach, frustum]) marker.dispose();
      solid.dispose();
      faint.dispose();
    },
  };
}

function placeTarget(marker: Mesh, entityId: string | null, state: RenderState, layout: ScenePlace, timeS: number): void {
  const thing = state.things.find((candidate) => candidate.entityId === entityId);
  const pad = layout.pads.find((candidate) => candidate.pad_id === entityId);
  marker.visible = thing !== undefined || pad !== undefined;
  const breath = 1 + 0.02 * Math.sin(timeS * 3);
  if (thing) {
    marker.position.set(...thing.position);
    marker.quaternion.set(...thing.orientation);
    const airM = CUBE_EDGE_M * 0.28;
    const [sizeX, sizeY, sizeZ] = sizeOf(thing.object?.shape ?? CUBE_SHAPE);
    marker.scale.set((sizeX + airM) * breath, (sizeY + airM) * breath, (sizeZ + airM) * breath);
  } else if (pad) {
    marker.position.set(pad.position[0], pad.position[1], pad.position[2] + 0.09);
    marker.quaternion.identity();
    marker.scale.set(pad.size[0] * 1.08 * breath, pad.size[1] * 1.08 * breath, 0.3);
  }
}

/** Returns a ring with a small arrow that shows the heading. */
function goalMarker(solid: MeshBasicMaterial, faint: MeshBasicMaterial): Group {
  const arrow = new Shape();
  arrow.moveTo(0.36, 0);
  arrow.lineTo(0.27, 0.06);
  arrow.lineTo(0.27, -0.06);
  arrow.closePath();
  const group = new Group();
  group.add(
    new Mesh(new RingGeometry(0.2, 0.235, 48), solid),
    new Mesh(new ShapeGeometry(arrow), solid),
    new Mesh(new RingGeometry(0.03, 0.055, 24), faint),
  );
  return group;
}

/** Marks where the robot would stand: the outline of its base and a point. */
function placeMarker(radiusM: number, solid: MeshBasicMaterial, faint: MeshBasicMaterial): Group {
  const group = new Group();
  group.add(
    new Mesh(new RingGeometry(radiusM - 0.03, radiusM, 48), solid),
    new Mesh(new CircleGeometry(radiusM - 0.03, 48), faint),
  );
  return group;
}

function pathGeometry(): BufferGeometry {
  const geometry = new BufferGeometry();
  const positions = new BufferAttribute(new Float32Array(PATH_CAPACITY * 2 * 3), 3);
  positions.setUsage(DynamicDrawUsage);
  geometry.setAttribute('position', positions);
  const indices: number[] = [];
  for (let k = 0; k + 1 < PATH_CAPACITY; k++) indices.push(2 * k, 2 * k + 1, 2 * k + 2, 2 * k + 1, 2 * k + 3, 2 * k + 2);
  geometry.setIndex(indices);
  return geometry;
}

/** Lays a ribbon along a polyline, mitred at its corners. Points beyond the capacity are dropped at even spacing. */
function layPath(geometry: BufferGeometry, points: Overlay['path']): void {
  const positions = geometry.getAttribute('position');
  const stride = Math.max(1, Math.ceil(points.length / PATH_CAPACITY));
  const kept = points.filter((_, k) => k % stride === 0 || k === points.length - 1).slice(0, PATH_CAPACITY);
  kept.forEach(([x, y], k) => {
    const [ax, ay] = kept[Math.max(0, k - 1)] ?? [x, y];
    const [bx, by] = kept[Math.min(kept.length - 1, k + 1)] ?? [x, y];
    const length = Math.hypot(bx - ax, by - ay) || 1;
    const nx = (-(by - ay) / length) * (PATH_WIDTH_M / 2);
    const ny = ((bx - ax) / length) * (PATH_WIDTH_M / 2);
    positions.setXYZ(2 * k, x + nx, y + ny, LIFT_M);
    positions.setXYZ(2 * k + 1, x - nx, y - ny, LIFT_M);
  });
  positions.needsUpdate = true;
  geometry.setDrawRange(0, Math.max(0, kept.length - 1) * 6);
}
