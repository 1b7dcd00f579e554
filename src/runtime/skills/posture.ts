import * as grasp from '../../simulation/grasp.ts';
import { passingHeight } from './hand-room.ts';
import { type SkillContext, steps, until } from './skill.ts';

/** Wide enough to clear anything that may stand between the palms, inner face to inner face. */
const CLEAR_OPENING_M = 0.25;
/** Hands that leave a cube rise this far before they move elsewhere. */
const CLEAR_RISE_M = 0.13;
/** Arms that reach far turn much at the shoulder when their palms part, so this is not too fast. */
const OPEN_S = 0.17;
const ARMS_WITHIN_STEPS = steps(2);

/** Lets steps pass until hands and trunk are where they were sent. */
export const armsDone = (ctx: SkillContext): Generator<void, boolean, void> =>
  until(() => !ctx.core.world.robot.hands.isMoving(ctx.core.world.body), ARMS_WITHIN_STEPS);

/** Opens the hands, raises them clear of things between them, and sends them back to hang. Ends when they are on their way. */
export function* withdraw(ctx: SkillContext): Generator<void, void, void> {
  const {
    robot: { hands },
    body,
  } = ctx.core.world;
  const from = hands.grip(body);
  const openingM = Math.max(from.openingM, CLEAR_OPENING_M - 0.04);
  hands.setOpening(body, openingM, OPEN_S);
  yield* armsDone(ctx);
  const [x, y, z] = from.centre;
  const overAll = passingHeight(ctx.core.world, from.centre, false, null);
  for (const height of [Math.max(z + CLEAR_RISE_M, overAll), z + CLEAR_RISE_M]) {
    if (!hands.moveTo(body, { centre: [x, y, height], yawRad: from.yawRad, openingM })) continue;
    yield* armsDone(ctx);
    break;
  }
  hands.stow(body);
}

/**
 * Brings the arms back before the robot walks, after a pick or place that ended early left them where they were stopped:
 * before the chest with a cube, otherwise clear of everything and down.
 */
export function* straightenUp(ctx: SkillContext): Generator<void, void, void> {
  const { core } = ctx;
  if (!core.armsAstray) return;
  const { world } = core;
  if (grasp.heldEntityId(world) !== null) world.robot.hands.carry(world.body);
  else yield* withdraw(ctx);
  core.armsAstray = !(yield* armsDone(ctx));
}
