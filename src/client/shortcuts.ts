/** Made by `npm run docs` from the catalogue of skills in src/protocol; do not edit by hand. */
import type { SkillName } from '../protocol/wire/skills.ts';
import type { ActionResult } from './action-result.ts';
import { entityTarget, supportTarget, targetOf } from './internal/targets.ts';
import type { Place } from './place.ts';
import type { InvokeOptions } from './session-options.ts';
import type { ParamsOf, ResultOf } from './skill-types.ts';

/** Options of `drive`. */
export interface DriveOptions extends InvokeOptions {
  /** Forward, m/s, body frame; beyond ±1.5 it is clamped and the reply notes it. @default 0 */
  vx?: number | undefined;
  /** Left, m/s, body frame; beyond ±1.5 it is clamped and the reply notes it. @default 0 */
  vy?: number | undefined;
  /** Turn left, rad/s, body frame; beyond ±1.5 it is clamped and the reply notes it. @default 0 */
  wz?: number | undefined;
  /** Seconds of simulated time; 0 … 300. @default 0.5 */
  duration_s?: number | undefined;
}

/** Options of `goTo`. */
export interface GoToOptions extends InvokeOptions {
  /** Metres; for a pose 0.05 unless given; 0.01 … 1. */
  tolerance_m?: number | undefined;
}

/** Options of `place`. */
export type PlaceOptions = InvokeOptions & {
  /** Id of a pad or object to put it on; the nearest destination pad unless given. */
  on?: string | undefined;
  /** Which of the slots of the pad `on`; any unless given. */
  slot?: number | undefined;
  /** The place to put it at, instead of `on`. */
  at?: Place | undefined;
} & ({ on: string } | { slot?: undefined });

/** Options of `setHead`. */
export interface SetHeadOptions extends InvokeOptions {
  /** Radians, positive left; -1.4 … 1.4. */
  yaw?: number | undefined;
  /** Radians, positive looks down; -0.6 … 1. */
  pitch?: number | undefined;
}

/** The skills that move the body of a simulated robot, as methods of a session. Each does what `invoke` does with the same skill. */
export abstract class SkillShortcuts {
  /** @internal `form` is how a right call is written; `paramsOf` throws the refusal of a wrong argument. */
  protected abstract shortcut<N extends SkillName, O extends InvokeOptions>(
    form: string,
    skill: N,
    given: O,
    paramsOf: (given: O) => ParamsOf<N>,
  ): Promise<ActionResult<ResultOf<N>>>;
  /**
   * Moves the base with the given velocity for duration_s, then stops. Answers when the robot has stopped. Replaces a running go_to or set_velocity; all zero stops the base. The `result` has `applied`, `moved`, `blocked_by`, `dropped`.
   * @throws as `invoke` of `set_velocity`
   */
  async drive(given: DriveOptions = {}): Promise<ActionResult<ResultOf<'set_velocity'>>> {
    return this.shortcut('drive({ vx: … })', 'set_velocity', given, ({ vx, vy, wz, duration_s }) => ({ vx, vy, wz, duration_s }));
  }

  /**
   * Walks to an entity and stops within reach of it, facing it; or to a pose, whose yaw_deg is honoured. Ends arrived, or reports what is in the way. The `result` has `pose`, `position_error_m`, `yaw_error_deg`, `path_m`, `recoveries`, `dropped`.
   * @param target id of a robot, cube, object or pad, or a place of the world
   * @throws as `invoke` of `go_to`
   */
  async goTo(target: string | Place, given: GoToOptions = {}): Promise<ActionResult<ResultOf<'go_to'>>> {
    return this.shortcut('goTo(target, { tolerance_m: … })', 'go_to', given, ({ tolerance_m }) => ({
      target: targetOf(target),
      tolerance_m,
    }));
  }

  /**
   * Takes exactly the named cube or other thing with both hands, or fails with the hands as they were. The id "cube" means the nearest cube that is not held and not on a destination pad. Reach: 1.20 m from the base. The `result` has `status`, `held`, `held_count`, `requested`.
   * @param target id of a cube or object
   * @throws as `invoke` of `pick_entity`
   */
  async pick(target: string, options: InvokeOptions = {}): Promise<ActionResult<ResultOf<'pick_entity'>>> {
    return this.shortcut('pick(target, { timeoutMs: … })', 'pick_entity', options, () => ({ target: entityTarget(target) }));
  }

  /**
   * Puts the held thing on a pad, in a slot, on top of another thing, into a container or at a pose; without a target on the nearest destination pad, never the source. A cube on the pad of its own colour is counted and collected: it leaves the scene. Reach: 1.20 m from the base. The `result` has `status`, `placed`, `placed_on`, `slot`, `placed_on_thing`, `placed_in_thing`, `pose`, `held_count`, `collected`, `correct`, `pad_color`, `thing_color`.
   * @throws as `invoke` of `place_entity`
   */
  async place(given: PlaceOptions = {}): Promise<ActionResult<ResultOf<'place_entity'>>> {
    return this.shortcut('place({ on: … })', 'place_entity', given, ({ on, slot, at }) => ({
      target: supportTarget(on, slot, at),
    }));
  }

  /**
   * Turns the head to the given angles. An omitted axis keeps its target, and walking keeps both. The `result` has `target`, `measured`, `dropped`.
   * @throws as `invoke` of `set_head`
   */
  async setHead(given: SetHeadOptions = {}): Promise<ActionResult<ResultOf<'set_head'>>> {
    return this.shortcut('setHead({ yaw: … })', 'set_head', given, ({ yaw, pitch }) => ({ yaw, pitch }));
  }

  /**
   * Turns the head so that the target is in the middle of the pov picture; turns the base too when the head alone cannot. The `result` has `target`, `measured`, `point`, `base_turned_deg`, `dropped`.
   * @param target id of a robot, cube, object or pad, or a place of the world
   * @throws as `invoke` of `look_at`
   */
  async lookAt(target: string | Place, options: InvokeOptions = {}): Promise<ActionResult<ResultOf<'look_at'>>> {
    return this.shortcut('lookAt(target, { timeoutMs: … })', 'look_at', options, () => ({ target: targetOf(target) }));
  }
}
