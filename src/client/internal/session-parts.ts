import type { RoomMetadata } from '../../protocol/service/control-service.ts';
import type { EmergencyStopResult } from '../../protocol/wire/emergency-stop.ts';
import type { ConnectCallbacks } from '../connect-options.ts';
import type { EmergencyStopOptions } from '../emergency-stop.ts';
import type { Logger } from '../options.ts';
import type { OrderSelf } from './driver-lease.ts';
import type { RoomLink } from './room-link.ts';

/** The parts from which `connect` and `joinRoom` build a session. */
export interface SessionParts {
  robotId: string;
  roomName: string;
  /** Null if the room is not joined, or the token names no identity. */
  identity: string | null;
  livekitUrl: string;
  roomMetadata: RoomMetadata;
  /** Null if the caller chose not to join the room. */
  link: RoomLink | null;
  callTimeoutMs: number;
  keepSession: boolean;
  /** Whether `invoke` returns a refusal as a failed result. */
  returnRefusals: boolean;
  callbacks: ConnectCallbacks;
  logger: Logger;
  endSession: (signal?: AbortSignal) => Promise<void>;
  /** Presses the robot's emergency stop over HTTP. */
  pressOverHttp: (options: EmergencyStopOptions) => Promise<EmergencyStopResult>;
  /** Orders over HTTP that this session drives. */
  orderSelf: OrderSelf;
}
