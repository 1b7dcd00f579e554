import { Group, Mesh, Quaternion, Vector3 } from 'three';
import type { RenderState } from '../../protocol/wire/render-state.ts';
import { isSliding } from '../../protocol/wire/robot.ts';
import { ROBOT_ENTITY_ID } from '../../protocol/wire/scene.ts';
import { type Finish, isGlowing } from '../geometry/finish.ts';
import { mergeByFinish, mergePainted, type Part } from '../geometry/paint.ts';
import type { MaterialKit } from '../look/materials.ts';
import { withMaterials } from '../look/mesh-materials.ts';
import { inOneGo, type Steps } from '../steps.ts';
import type { Rig, RobotLook } from './robot-look.ts';

const _applyPose_axis = new Vector3();
const _applyPose_turn = new Quaternion();

/** Builds the rig. Meshes are merged per link, and also per finish where the materials differ by finish. */
export const createRig = (kit: MaterialKit, look: RobotLook): Rig => inOneGo(rigSteps(kit, look));

/** Builds the rig one link at a time. */
export function* rigSteps(kit: MaterialKit, look: RobotLook): Steps<Rig> {
  const parts = look.linkParts();
  const { rootLink, joints } = look.model;
  for (const link of parts.keys()) {
    if (link !== rootLink && !joints.some((joint) => joint.link === link))
      throw new Error(`The robot model has no link ${link}.`);
  }
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
    if (look.roundTheEye.includes(name)) roundTheEye.push(shell);
    links.set(name, group);
    return group;
  };
  const root = makeLink(rootLink);
  const jointed: Group[] = [];
  for (const joint of joints) {
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
    look,
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
    const made = withMaterials(new Mesh(geometry), (look) => kit.material(look, finish, ROBOT_ENTITY_ID));
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
export function applyPose(rig: Rig, state: Pick<RenderState, 'rootPose' | 'jointPositions'>): void {
  rig.root.visible = true;
  rig.root.position.set(...state.rootPose.position);
  rig.root.quaternion.set(...state.rootPose.orientation);
  rig.look.model.joints.forEach((joint, i) => {
    const axis = _applyPose_axis.set(...joint.axis);
    const at = state.jointPositions[i] ?? 0;
    if (isSliding(joint)) rig.jointed[i]?.position.set(...joint.origin).addScaledVector(axis, at);
    else rig.jointed[i]?.quaternion.copy(_applyPose_turn.setFromAxisAngle(axis, at));
  });
}
