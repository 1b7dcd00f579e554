import type { DriverFacts } from '../driver.ts';
import type { Overlay, RenderState } from '../render-state.ts';
import type { RobotId } from '../robot.ts';

/** LiveKit topic of the packets in which a robot's runtime shows its world to everybody in the room. Packets of anybody else are none. */
export const WORLD_TOPIC = 'simplesim.world';

/** What people who only watch are told beside the picture. Words are those of `runtime.state`. */
export interface WorldStatus {
  /** `runtime.status`: ready, busy, error. */
  runtime: string;
  /** `robot.status`: ready, moving, holding, fallen, error, unknown. */
  robot: string;
  /** Name of the active action; null while there is none. */
  action: string | null;
  /** What the active action does now, in a word or two; null where it does not say. */
  phase: string | null;
  emergencyStop: boolean;
  /** The one who drives; null for nobody. */
  driver: DriverFacts | null;
}

/** Everything that is shown of a robot's world at one moment, as its runtime has it. */
export interface WorldSnapshot {
  sceneId: string;
  robotId: RobotId;
  state: RenderState;
  status: WorldStatus;
  overlay: Overlay;
  /** When `state` was so, by the runtime's clock: milliseconds since the epoch. */
  stepTimeMs: number;
}

/** A snapshot as a watcher has it, with what the way has done to it. */
export interface WorldFrame extends WorldSnapshot {
  /** When it came, by the reader's clock. */
  takenAtMs: number;
  /** How much longer it took than the fastest of the last seconds: the clocks of both ends are not compared. */
  delayMs: number;
  /** Packets of this stream that have not come, since the first that did. */
  lostPackets: number;
  /** Packets of the stream that have come, also those that brought nothing newer. */
  comePackets: number;
}

/** The bytes of one packet, in memory of their own. */
export type WorldPacket = Uint8Array<ArrayBuffer>;

/** The length of a packet at most: with LiveKit's and the transport's headers it fits into one datagram. */
export const PACKET_MAX_BYTES = 1_100;
/** A key state of more packets than this is not sent, and none is taken. */
export const PARTS_MAX = 16;

/** How exact the numbers are: the step of each, so that what is shown is off by half of it at most. */
export const POSITION_STEP_M = 0.0005;
/** Of a joint: radians, or metres of one that slides. */
export const JOINT_STEP = 0.0005;
/** Of a component of a unit quaternion: 0.01° in all. */
export const QUATERNION_STEP = 1 / 16_384;
export const FIELD_OF_VIEW_STEP_DEG = 0.01;
/** Of simulated times. */
export const TIME_STEP_S = 0.001;

/** A packet, or a snapshot, that the format does not have. */
export class WorldStreamError extends Error {
  override name = 'WorldStreamError';
}

/** A whole packet of another version of the format, which this one cannot read. */
export class WorldVersionError extends WorldStreamError {
  readonly version: number;
  constructor(version: number) {
    super('The packet is of another version.');
    this.version = version;
  }
}
