import type { DriverFacts } from '../wire/driver.ts';
import type { Overlay, RenderState } from '../wire/render-state.ts';
import type { RobotId } from '../wire/robot.ts';

/**
 * LiveKit topic of the packets in which a robot's runtime shows its world to all participants in the room. Packets of any other
 * sender are ignored.
 */
export const WORLD_TOPIC = 'simplesim.world';

/** The status that viewers see beside the picture. Words are those of `runtime.state`. */
export interface WorldStatus {
  /** `runtime.status`: ready, busy, error. */
  runtime: string;
  /** `robot.status`: ready, moving, holding, fallen, error, unknown. */
  robot: string;
  /** Name of the active action; null while no action is active. */
  action: string | null;
  /** The present phase of the active action, in a word or two; null if the action does not report one. */
  phase: string | null;
  emergencyStop: boolean;
  /** The driver; null for no one. */
  driver: DriverFacts | null;
}

/** Everything that is shown of a robot's world at one moment, as its runtime has it. */
export interface WorldSnapshot {
  sceneId: string;
  robotId: RobotId;
  state: RenderState;
  status: WorldStatus;
  overlay: Overlay;
  /** The time of `state`, by the runtime's clock: milliseconds since the epoch. */
  stepTimeMs: number;
}

/** A snapshot as a watcher receives it, with its delay and losses in transit. */
export interface WorldFrame extends WorldSnapshot {
  /** Time of arrival, by the reader's clock. */
  takenAtMs: number;
  /** How much longer it took than the fastest of the last seconds: the clocks of both ends are not compared. */
  delayMs: number;
  /** Packets of this stream that have not arrived, since the first that did. */
  lostPackets: number;
  /** Packets of the stream that have arrived, including those that contained nothing newer. */
  comePackets: number;
}

/** The bytes of one packet, in memory of their own. */
export type WorldPacket = Uint8Array<ArrayBuffer>;

/** Maximum length of a packet: with LiveKit's and the transport's headers it fits into one datagram. */
export const PACKET_MAX_BYTES = 1_100;
/** Maximum number of packets of a key state: a longer one is neither sent nor accepted. */
export const PARTS_MAX = 16;

/** The precision of the numbers: the step of each. The shown value is off by at most half a step. */
export const POSITION_STEP_M = 0.0005;
/** Of a joint: radians, or metres for a sliding joint. */
export const JOINT_STEP = 0.0005;
/** Of a component of a unit quaternion: 0.01° in all. */
export const QUATERNION_STEP = 1 / 16_384;
export const FIELD_OF_VIEW_STEP_DEG = 0.01;
/** Of simulated times. */
export const TIME_STEP_S = 0.001;

/** A packet or a snapshot that is invalid in the format. */
export class WorldStreamError extends Error {
  override name = 'WorldStreamError';
}

/** A valid packet of another version of the format, which this version cannot read. */
export class WorldVersionError extends WorldStreamError {
  readonly version: number;
  constructor(version: number) {
    super('The packet is of another version.');
    this.version = version;
  }
}
