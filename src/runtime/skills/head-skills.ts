import * as portable from '../../common/portable-math.ts';
import * as errors from '../../protocol/texts/error-texts.ts';
import { degToRad, radToDeg, type Vec3, wrapRad } from '../../protocol/wire/geometry.ts';
import { HEAD_TOLERANCE_DEG } from '../../protocol/wire/limits.ts';
import type { SkillInput } from '../../protocol/wire/skills.ts';
import * as base from '../../simulation/base.ts';
import type { SkillRun } from '../action-entry.ts';
import type { RuntimeCore } from '../core.ts';
import { entityPoint, unknownEntity } from '../entities.ts';
import { type SkillContext, type SkillModule, settle, steps } from './skill.ts';
import { notStopped } from './standing.ts';
import { turnTo } from './walk.ts';

const TOLERANCE_RAD = degToRad(HEAD_TOLERANCE_DEG);
const HEAD_WITHIN_S = 4;
const HEAD_WITHIN_STEPS = steps(HEAD_WITHIN_S);
/** Angle, seen from the head, by which a thing must move before the head aims again, and the maximum number of aims. */
const AIMED_RAD = degToRad(HEAD_TOLERANCE_DEG / 4);
const MOST_AIMS = 4;

interface HeadAngles {
  yawRad: number;
  pitchRad: number;
}

const onWire = ({ yawRad, pitchRad }: HeadAngles): { yaw: number; pitch: number } => ({ yaw: yawRad, pitch: pitchRad });
const errorOf = (a: HeadAngles, b: HeadAngles) => ({
  yawErrorRad: Math.abs(a.yawRad - b.yawRad),
  pitchErrorRad: Math.abs(a.pitchRad - b.pitchRad),
});
const isThere = (core: RuntimeCore, target: HeadAngles, withinRad = TOLERANCE_RAD): boolean => {
  const { yawErrorRad, pitchErrorRad } = errorOf(core.world.robot.head.measured(core.world.body), target);
  return yawErrorRad <= withinRad && pitchErrorRad <= withinRad;
};

export const setHead: SkillModule<'set_head'> = { run: turnHead };

function* turnHead(ctx: SkillContext, { yaw, pitch }: SkillInput<'set_head'>): SkillRun {
  const { core } = ctx;
  ctx.phase('turning the head');
  core.world.robot.head.setTarget(core.world.body, { yawRad: yaw, pitchRad: pitch });
  const target = { ...core.world.robot.head.target(core.world.body) };
  if (!(yield* settle(() => isThere(core, target), HEAD_WITHIN_STEPS))) {
    return { ok: false, error: errors.headNotThere(errorOf(core.world.robot.head.measured(core.world.body), target)) };
  }
  return { ok: true, result: { target: onWire(target), measured: onWire(core.world.robot.head.measured(core.world.body)) } };
}

type LookTarget = SkillInput<'look_at'>['target'];

const pointOf = (core: RuntimeCore, target: LookTarget): Vec3 | null =>
  target.kind === 'pose' ? target.pose.position : entityPoint(core.world, target.entity_id);

export const lookAt: SkillModule<'look_at'> = {
  check: (core, { target }) =>
    target.kind === 'entity' ? unknownEntity(core.world, target.entity_id, ['cube', 'object', 'pad', 'robot']) : null,
  claims(core, { target }) {
    const point = pointOf(core, target);
    return point && !core.world.robot.head.anglesToward(core.world.body, point).reachable && canPitchTo(core, point)
      ? ['head', 'base']
      : ['head'];
  },
  run: look,
};

/** Returns whether the head can be pitched to this point once the base faces it. If not, no heading helps. */
function canPitchTo({ world }: RuntimeCore, [x, y, z]: Vec3): boolean {
  const at = base.pose(world);
  const distanceM = portable.hypot(x - at.x, y - at.y);
  const ahead: Vec3 = [at.x + distanceM * portable.cos(at.yawRad), at.y + distanceM * portable.sin(at.yawRad), z];
  return world.robot.head.anglesToward(world.body, ahead).reachable;
}

function* look(ctx: SkillContext, { target }: SkillInput<'look_at'>): SkillRun {
  const { core } = ctx;
  const label = target.kind === 'entity' ? target.entity_id : 'the point';
  const point = pointOf(core, target);
  if (!point) return { ok: false, error: errors.unknownEntity(label, []) };
  let turnedDeg = 0;
  if (!core.world.robot.head.anglesToward(core.world.body, point).reachable) {
    const from = base.pose(core.world);
    const heading = portable.atan2(point[1] - from.y, point[0] - from.x);
    if (!canPitchTo(core, point)) return { ok: false, error: errors.headCannotSee(label) };
    ctx.phase('turning to it');
    const turned = yield* turnTo(ctx, heading);
    if (!turned.ok) return turned;
    turnedDeg = radToDeg(wrapRad(base.pose(core.world).yawRad - from.yawRad));
  }
  ctx.phase('turning the head');
  let angles: HeadAngles = core.world.robot.head.target(core.world.body);
  // The turn did not wait for the settle window, so the base may still be moving.
  const stands = (): boolean => turnedDeg === 0 || base.isStopped(core.world);
  let seen = point;
  // The head follows a thing that moves on. While the base walks, the angles stay with the head, as with set_head.
  for (let aims = 0; ; aims += 1) {
    // A cube that was collected in the meantime has left the scene, so the head cannot look at it.
    const gone =
      target.kind === 'entity' ? unknownEntity(core.world, target.entity_id, ['cube', 'object', 'pad', 'robot']) : null;
    if (gone) return { ok: false, error: gone };
    if (aims === MOST_AIMS) break;
    seen = pointOf(core, target) ?? seen;
    const aim = core.world.robot.head.anglesToward(core.world.body, seen);
    if (!aim.reachable) return { ok: false, error: errors.headCannotSee(label) };
    if (aims > 0 && (isThere(core, aim, AIMED_RAD) || !base.isStopped(core.world))) break;
    angles = { yawRad: aim.yawRad, pitchRad: aim.pitchRad };
    const goal = angles;
    core.world.robot.head.setTarget(core.world.body, goal);
    if (!(yield* settle(() => isThere(core, goal) && stands(), HEAD_WITHIN_STEPS))) {
      if (!stands()) return { ok: false, error: notStopped(core.world, ['base'], HEAD_WITHIN_S) };
      return { ok: false, error: errors.headNotThere(errorOf(core.world.robot.head.measured(core.world.body), goal)) };
    }
  }
  const measured = onWire(core.world.robot.head.measured(core.world.body));
  return {
    ok: true,
    result: { target: onWire(angles), measured, point: seen, base_turned_deg: turnedDeg },
  };
}
