import { Group, Mesh, Quaternion, Vector3 } from 'three';
import type { RenderState } from '../../protocol/render-state.ts';
import { JOINTS, ROOT_LINK } from '../../protocol/robot-model.ts';
import { ROBOT_ENTITY_ID } from '../../protocol/scene.ts';
import { type Finish, isGlowing, mergeByFinish, mergePainted, type Part } from '../geometry/paint.ts';
import { dressed } from '../look/dress.ts';
import type { MaterialKit } from '../look/materials.ts';
import { inOneGo, type Steps } from '../steps.ts';
import { linkParts } from './link-parts.ts';

/** The robot as nested groups, one a link, each turned by its joint. */
export interface Rig {
  /** The pelvis; its parent is the world. */
  root: Group;
  links: ReadonlyMap<string, Group>;
  /** The groups that joints turn, in the order of JOINTS. */
  jointed: readonly Group[];
}

const axes = JOINTS.map((joint) => new Vector3(...joint.axis));
const _applyPose_turn = new Quaternion();

/** Builds the rig; meshes are merged per link, and per finish where the materials differ by it. */
export const createRig = (kit: MaterialKit): Rig => inOneGo(rigSteps(kit));

/** The same, a link at a time. */
export function* rigSteps(kit: MaterialKit): Steps<Rig> {
  const parts = linkParts();
  const links = new Map<string, Group>();
  const makeLink = (name: string): Group => {
    const group = new Group();
    group.name = name;
    const own = parts.get(name);
    if (own) group.add(...meshesOf(own(), kit));
    links.set(name, group);
    return group;
  };
  const root = makeLink(ROOT_LINK);
  const jointed: Group[] = [];
  for (const joint of JOINTS) {
    yield;
    const parent = links.get(joint.parentLink);
    if (!parent) throw new Error(`Joint ${joint.name} comes before its parent link ${joint.parentLink}.`);
    const group = makeLink(joint.link);
    group.position.set(...joint.origin);
    parent.add(group);
    jointed.push(group);
  }
  root.visible = false;
  return { root, links, jointed };
}

function meshesOf(parts: Part[], kit: MaterialKit): Mesh[] {
  const mesh = (finish: Finish, geometry: Mesh['geometry']): Mesh => {
    const made = dressed(new Mesh(geometry), (look) => kit.material(look, finish, ROBOT_ENTITY_ID));
    made.castShadow = kit.rich && !isGlowing(finish);
    made.receiveShadow = made.castShadow;
    return made;
  };
  if (kit.rich) return [...mergeByFinish(parts)].map(([finish, geometry]) => mesh(finish, geometry));
  const glowing = parts.filter((piece) => isGlowing(piece.finish));
  const matt = parts.filter((piece) => !isGlowing(piece.finish));
  return [mesh('shell', mergePainted(matt)), ...(glowing.length > 0 ? [mesh('status', mergePainted(glowing))] : [])];
}

/** Puts the rig into a state's pose. */
export function applyPose(rig: Rig, state: Pick<RenderState, 'pelvis' | 'jointsRad'>): void {
  rig.root.visible = true;
  rig.root.position.set(...state.pelvis.position);
  rig.root.quaternion.set(...state.pelvis.orientation);
  for (let i = 0; i < rig.jointed.length; i++) {
    const axis = axes[i];
    if (axis) rig.jointed[i]?.quaternion.copy(_applyPose_turn.setFromAxisAngle(axis, state.jointsRad[i] ?? 0));
  }
}
