import { Group, Mesh, Quaternion, Vector3 } from 'three';
import type { RenderState } from '../../../protocol/render-state.ts';
import { JOINTS, ROOT_LINK } from '../../../protocol/robots/humanoid.ts';
import { ROBOT_ENTITY_ID } from '../../../protocol/scene.ts';
import { type Finish, isGlowing, mergeByFinish, mergePainted, type Part } from '../../geometry/paint.ts';
import { dressed } from '../../look/dress.ts';
import type { MaterialKit } from '../../look/materials.ts';
import { inOneGo, type Steps } from '../../steps.ts';
import { linkParts } from './link-parts.ts';

/** The robot as nested groups, one per link, each turned by its joint. */
export interface Rig {
  /** The pelvis; its parent is the world. */
  root: Group;
  links: ReadonlyMap<string, Group>;
  /** The groups that joints turn, in the order of JOINTS. */
  jointed: readonly Group[];
  /** Hides head and trunk, because the head's camera is inside them; limbs stay visible. */
  seenFromHead(isSeenFromHead: boolean): void;
}

/**
 * Links that surround the camera. It is on the axis of the neck, inside head and neck, and the chest would fill its picture when
 * it looks down.
 */
const ROUND_THE_EYE = ['head', 'neck', 'torso', ROOT_LINK];

const axes = JOINTS.map((joint) => new Vector3(...joint.axis));
const _applyPose_turn = new Quaternion();

/** Builds the rig. Meshes are merged per link, and also per finish where the materials differ by finish. */
export const createRig = (kit: MaterialKit): Rig => inOneGo(rigSteps(kit));

/** Builds the rig one link at a time. */
export function* rigSteps(kit: MaterialKit): Steps<Rig> {
  const parts = linkParts();
  const links = new Map<string, Group>();
  const roundTheEye: Group[] = [];
  const makeLink = (name: string): Group => {
    const group = new Group();
    group.name = name;
    // A group of its own: hiding the link's group would hide the limbs attached to it, and the look decides whether a mesh itself
    // is visible.
    const shell = new Group();
    shell.name = `${name} shell`;
    group.add(shell);
    const own = parts.get(name);
    if (own) shell.add(...meshesOf(own(), kit));
    if (ROUND_THE_EYE.includes(name)) roundTheEye.push(shell);
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
  return {
    root,
    links,
    jointed,
    seenFromHead(isSeenFromHead) {
      for (const shell of roundTheEye) shell.visible = !isSeenFromHead;
    },
  };
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

/** Sets the rig to a state's pose. */
export function applyPose(rig: Rig, state: Pick<RenderState, 'pelvis' | 'jointsRad'>): void {
  rig.root.visible = true;
  rig.root.position.set(...state.pelvis.position);
  rig.root.quaternion.set(...state.pelvis.orientation);
  for (let i = 0; i < rig.jointed.length; i++) {
    const axis = axes[i];
    if (axis) rig.jointed[i]?.quaternion.copy(_applyPose_turn.setFromAxisAngle(axis, state.jointsRad[i] ?? 0));
  }
}
