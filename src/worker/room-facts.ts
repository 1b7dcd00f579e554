import { type ControlKeys, controlKeysSchema } from '../protocol/signed/signed-control.ts';
import { type PressInRoom, pressOf } from '../protocol/wire/emergency-stop.ts';
import { type OwnerOrder, ownerOrderOf } from '../protocol/wire/owner-order.ts';

/** The control service's data about a room. */
export interface RoomFacts {
  /** The robot of the room; null if the metadata does not name it. */
  robotId: string | null;
  /** The agents that its session has requested. */
  agentNames: string[];
  /** The keys whose signed calls are trusted. */
  controlKeys: ControlKeys | null;
  /** The control service's latched emergency stop. */
  emergencyStop: PressInRoom | null;
  /** The order of the robot's owner that sets the driver. */
  ownerOrder: OwnerOrder | null;
}

/** Ids of robots are short and become part of identities: text without spaces or control characters. */
const ROBOT_ID = /^[^\s\p{Cc}]{1,200}$/u;

/** Reads the metadata of a room or a job. Missing or wrong fields count as empty. */
export function readRoomFacts(metadata: string): RoomFacts {
  const value = parse(metadata);
  const { robot_id: robotId, dispatched_agent_names: names, dispatches, control_keys: keys } = value;
  const read = controlKeysSchema.safeParse(keys);
  return {
    robotId: typeof robotId === 'string' && ROBOT_ID.test(robotId) ? robotId : null,
    agentNames: [...new Set([...textsOf(names), ...namesOf(dispatches)])],
    controlKeys: read.success ? read.data : null,
    emergencyStop: pressOf(metadata),
    ownerOrder: ownerOrderOf(metadata),
  };
}

const textsOf = (value: unknown): string[] => (Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []);

/** `dispatches` is an object with a key for each agent. Rooms from an older service have a list of `{id, agent_name}`. */
function namesOf(dispatches: unknown): string[] {
  if (Array.isArray(dispatches)) return textsOf(dispatches.map((one: unknown) => (isObject(one) ? one.agent_name : undefined)));
  return isObject(dispatches) ? Object.keys(dispatches) : [];
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

function parse(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
