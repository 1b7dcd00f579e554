import { ROBOT_ENTITY_ID, type Timestamp } from '../../protocol/wire/scene.ts';
import type { LastAction, RuntimeState } from '../../protocol/wire/state.ts';
import type { WorldStatus } from '../../protocol/world-stream/world-frame.ts';
import * as base from '../../simulation/base.ts';
import * as benchmark from '../../simulation/benchmark.ts';
import * as grasp from '../../simulation/grasp.ts';
import type { StoredAction } from '../action-record.ts';
import { onWall, type RuntimeCore } from '../core.ts';
import { droppedOnWire } from '../dropped.ts';
import { emergencyPart } from '../emergency-stop.ts';
import { driverFacts, driverPart } from '../lease.ts';
import * as ledger from '../ledger.ts';
import { ordersPart } from '../owner-order.ts';
import { basePose } from '../poses.ts';

/**
 * Returns the moment of a reply: step, simulated seconds, and wall time in milliseconds since the epoch.
 * @param nowMs the runtime's own clock
 */
export const timestamp = (core: RuntimeCore, nowMs: number): Timestamp => ({
  step: core.world.step,
  sim_time_s: core.world.simTimeS,
  wall_time_ms: onWall(core, nowMs),
});

/** Returns the reply of `runtime.state`. */
export function robotState(core: RuntimeCore, nowMs: number): RuntimeState {
  const active = ledger.primary(core.ledger);
  const { last } = core.ledger;
  return {
    timestamp: timestamp(core, nowMs),
    runtime: {
      status: runtimeStatus(core, active !== null),
      ...(active ? { active_action: ledger.activeView(active) } : {}),
      ...(last ? { last_action: lastAction(last) } : {}),
      accepts_tool_calls: core.contract.acceptsCalls(core),
      accepts_capture_requests: core.cameras.kind === 'ready',
    },
    robot: {
      entity_id: ROBOT_ENTITY_ID,
      pose: basePose(core.world, base.pose(core.world)),
      status: robotStatus(core),
      held_entity_ids: heldIds(core),
      extra: extra(core, nowMs),
    },
  };
}

/** Returns the state in words for viewers, without its numbers. */
export function worldStatus(core: RuntimeCore): WorldStatus {
  const active = ledger.primary(core.ledger);
  return {
    runtime: runtimeStatus(core, active !== null),
    robot: robotStatus(core),
    action: active?.name ?? null,
    phase: active ? ledger.activeView(active).phase : null,
    emergencyStop: core.emergency.latched !== null,
    driver: driverFacts(core),
  };
}

/** Returns whether the robot rejects commands until a person has attended to it. */
const needsHelp = ({ fault, emergency }: RuntimeCore): boolean => fault !== null || emergency.latched !== null;

function runtimeStatus(core: RuntimeCore, isActive: boolean): RuntimeState['runtime']['status'] {
  if (needsHelp(core)) return 'error';
  return isActive ? 'busy' : 'ready';
}

function heldIds({ world }: RuntimeCore): string[] {
  const held = grasp.heldEntityId(world);
  return held === null ? [] : [held];
}

function robotStatus(core: RuntimeCore): RuntimeState['robot']['status'] {
  if (core.fault !== null) return 'error';
  const { robot, body } = core.world;
  if (!base.isStopped(core.world) || robot.hands.isMoving(body) || robot.posedArms?.isMoving(body)) return 'moving';
  if (needsHelp(core)) return 'error';
  return heldIds(core).length > 0 ? 'holding' : 'ready';
}

const lastAction = ({ actionId, kind, name, status, result: { meta, error } }: StoredAction): LastAction => ({
  action_id: actionId,
  kind,
  name,
  status,
  started_at_ms: meta.started_at_ms,
  finished_at_ms: meta.finished_at_ms,
  duration_ms: meta.duration_ms,
  ...(error ? { error } : {}),
});

const headAngles = ({ yawRad, pitchRad }: { yawRad: number; pitchRad: number }) => ({ yaw: yawRad, pitch: pitchRad });

function droppedLast(core: RuntimeCore): Pick<RuntimeState['robot']['extra'], 'dropped'> {
  const dropped = core.dropped && droppedOnWire(core, core.dropped);
  return core.dropped && dropped ? { dropped: { ...dropped, step: core.dropped.step, sim_time_s: core.dropped.simTimeS } } : {};
}

function extra(core: RuntimeCore, nowMs: number): RuntimeState['robot']['extra'] {
  const { world, nav } = core;
  const { model, head } = world.robot;
  return {
    command: base.command(world),
    nav: nav ? { active: true, goal: basePose(world, nav.goal), remaining_m: nav.remainingM } : { active: false },
    head: {
      target: headAngles(head.target(world.body)),
      measured: headAngles(head.measured(world.body)),
      yaw_range: [...model.head.yawRangeRad],
      pitch_range: [...model.head.pitchRangeRad],
    },
    joints: Object.fromEntries(model.joints.map(({ name }, index) => [name, world.body.jointPositions[index] ?? 0])),
    sort_benchmark: benchmark.counts(world),
    ...droppedLast(core),
    sim: {
      seed: world.seed,
      speed: core.speed,
      time: core.deps.time ?? 'real',
      real_time_factor: core.realTimeFactor,
      hidden: core.hidden,
      suspended_ms: Math.round(core.suspendedMs),
    },
    scene_id: world.scene.layout.scene_id,
    ...driverPart(core),
    ...ordersPart(core, nowMs),
    ...emergencyPart(core),
    ...core.contract.statePart(core),
  };
}
