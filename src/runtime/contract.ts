import type { Caller } from '../protocol/caller.ts';
import type { RuntimeError } from '../protocol/error-codes.ts';
import type { MethodName } from '../protocol/methods.ts';
import type { RuntimeProfile } from '../protocol/profile.ts';
import type { RobotModel } from '../protocol/robot.ts';
import type { SkillDescriptor } from '../protocol/skills.ts';
import type { ControlState } from '../protocol/state.ts';
import type { Call, Reply } from './calls/tools-call.ts';
import type { RuntimeCore } from './core.ts';

/** Serves one method: answers `reply` once, now or when an action ends. */
export type Handler = (core: RuntimeCore, call: Call, reply: Reply) => void;

/** The emergency stop of a robot that has one. */
export interface EmergencyStop {
  /** The caller that latched it, and when, milliseconds since the epoch on the wall clock. */
  by: Caller;
  sinceMs: number;
}

/** What a contract keeps of itself over a reload. */
export interface KeptContract {
  emergencyStop: EmergencyStop | null;
  /** Number of trajectory sessions so far. */
  sessions: number;
  /** How many times the watchdog let the arms go limp. */
  timeouts: number;
}

/**
 * The rules that a runtime keeps towards its callers, with the state that only these rules need. The runtime asks the contract and
 * never which one it is. There are two: the simulator's and the physical robot's (`rcw/contract.ts`).
 */
export interface Contract {
  readonly profile: RuntimeProfile;
  readonly handlers: Readonly<Record<MethodName, Handler>>;
  /** Returns every skill with its input schema, for `runtime.tools_list`, in the words of the robot. */
  skills(robot: RobotModel): SkillDescriptor[];
  /** Returns what `runtime.manifest` says about this contract alone. */
  manifestPart(): Record<string, unknown>;
  /** Returns the state's part about this contract alone. */
  statePart(core: RuntimeCore): { control?: ControlState };
  /** Tells whether calls that move the body are taken now. */
  acceptsCalls(core: RuntimeCore): boolean;
  /** Tells whether the robot takes no command until a person has attended to it, besides after a fault. */
  needsHelp(): boolean;
  /** Runs the gates for a payload that cannot be read, which stand before its mistake is told. Null when none refuses it. */
  gateUnreadable(core: RuntimeCore, method: MethodName, call: Omit<Call, 'payload'>, text: string): RuntimeError | null;
  /** Runs before each call, because calls may crowd out the steps: ends what has had no renewal in time. */
  beforeCall(core: RuntimeCore): void;
  /** Runs before each step: ends what has had no renewal in time or has reached its deadline. */
  beforeStep(core: RuntimeCore): void;
  /** Runs after each physics step: the body has reported. */
  afterPhysics(core: RuntimeCore): void;
  /** The process stood still for a while. Running actions are stopped by the runtime itself. */
  suspended(core: RuntimeCore, error: RuntimeError): void;
  /** Stops everything for the robot's own page; no gate can refuse it. */
  stop(core: RuntimeCore, by: Caller): void;
  /** The button at the robot was pressed. A robot without such a button does nothing. */
  emergencyStop(core: RuntimeCore, by: Caller): void;
  /** The button at the robot was released. */
  releaseEmergencyStop(): void;
  /** Returns what goes on after a reload. */
  keep(): KeptContract;
  /** Goes on from what was kept; the world is there already and its actions have been interrupted. */
  restore(core: RuntimeCore, kept: KeptContract): void;
}
