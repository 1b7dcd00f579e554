/** Numbers of the wire contract that more than one package needs. Each is defined here once. */

/** Largest RPC payload or reply, in bytes of UTF-8; older LiveKit clients support no larger size. */
export const RPC_PAYLOAD_MAX_BYTES = 15_360;
/**
 * Maximum size to which a call may unpack at a robot, in bytes, because LiveKit sends calls packed: a few kilobytes may contain
 * gigabytes. It is above the size of one call, so that a call that is slightly too large gets an answer in words.
 */
export const CALL_UNPACKED_MAX_BYTES = 64 * 1024;
/** Maximum number of values in a payload, including lists and objects. */
export const PAYLOAD_MAX_VALUES = 512;
/** How deep lists and objects of a payload may be nested. */
export const PAYLOAD_MAX_DEPTH = 64;
/** Maximum number of ids that one `runtime.scene_state` asks for. */
export const ENTITY_IDS_MAX = 256;
/** Maximum number of unknown ids that a reply of `runtime.scene_state` names. */
export const UNKNOWN_IDS_MAX = 16;
/** Longest action id a caller may choose, in characters. */
export const ACTION_ID_MAX_LENGTH = 128;
/** Longest deadline a call may carry. */
export const DEADLINE_MAX_S = 3_600;
/** Minimum time for which an ended action can be read again by its id. */
export const RESULT_KEPT_MS = 10 * 60_000;
/** Minimum number of ended actions that can be read again by id after that time. */
export const RESULTS_KEPT_MIN = 256;
/** Maximum number of kept actions, of any age: beyond it, the caller with the most actions loses its oldest. */
export const RESULTS_KEPT_MAX = 4_096;

/**
 * The limits of one participant at a runtime: far above the needs of a program, and far below the amount that would block the
 * robot for others.
 */
/** Calls a second, over time. */
export const CALLS_PER_SECOND_MAX = 500;
/** Calls at once, after a time with fewer calls. */
export const CALLS_AT_ONCE_MAX = 1_000;
/**
 * Characters of waiting calls, of all participants: as many as the largest calls that one participant may have waiting. When the
 * limit is reached, participants with more than an equal part wait; a few stops may still exceed it.
 */
export const CALL_CHARS_WAITING_MAX = 16 * 1024 * 1024;
/** Additional waiting calls of one participant that stop the robot. One stop is enough, so this limit is generous. */
export const STOPS_AT_ONCE_MAX = 256;
/** Pictures that wait to be drawn and sent. */
export const CAPTURES_WAITING_MAX = 32;
/** How long a capture waits for cameras that are still being built: shorter than LiveKit's own wait for a reply, 15 s. */
export const CAMERAS_AWAITED_MS = 10_000;
/** Calls that wait for the end of the same action. */
export const JOINED_CALLS_MAX = 256;

/** Fixed step of the simulation. */
export const STEPS_PER_SECOND = 120;
export const STEP_S = 1 / STEPS_PER_SECOND;
/** A postcondition must be fulfilled for this long, in simulated time, before the runtime reports `done` (promise P1). */
export const SETTLE_S = 0.25;
/** A cancelled or expired motion stops within this simulated time, or the reply names what still moves (P7). */
export const STOP_WITHIN_S = 0.5;
/** Below these measured speeds the robot counts as stopped (P7). */
export const STOPPED_LINEAR_MPS = 0.02;
export const STOPPED_ANGULAR_RPS = 0.05;

/** `set_velocity` is clamped to these, per axis. */
export const MAX_LINEAR_MPS = 1.5;
export const MAX_ANGULAR_RPS = 1.5;
/** Acceleration limits of the base. */
export const MAX_LINEAR_MPS2 = 1.5;
export const MAX_ANGULAR_RPS2 = 3;
export const DEFAULT_VELOCITY_DURATION_S = 0.5;
export const MAX_VELOCITY_DURATION_S = 300;

/** The maximum extent of a scene: a position in a call is at most this far from the origin of the world, along each axis. */
export const MAX_POSITION_M = 1_000;
/** Ten turns, because a caller may have summed up a heading. */
export const MAX_HEADING_DEG = 3_600;
/** Maximum difference between 1 and the length of a call's quaternion, because of rounding; it is normalised. */
export const UNIT_LENGTH_TOLERANCE = 0.01;
/** Seeds are whole numbers of 32 bits. */
export const MAX_SEED = 4_294_967_295;

/** Range of `tolerance_m` of `go_to`. */
export const MIN_GO_TO_TOLERANCE_M = 0.01;
export const MAX_GO_TO_TOLERANCE_M = 1;
/** `go_to` with a pose ends within these distances of the pose. */
export const GO_TO_TOLERANCE_M = 0.05;
export const GO_TO_TOLERANCE_YAW_DEG = 2;
/** Profile `rcw`: after this long without a packet, a trajectory session lets the arms go limp. */
export const TRAJECTORY_TIMEOUT_MS = 200;
/** Body calls of the `rcw` profile need telemetry no older than this. */
export const TELEMETRY_FRESH_MS = 500;
/** How many numbers a pose of one arm has. */
export const ARM_POSE_LENGTH = 5;

/** Maximum distance of a pick or place from the base, in the floor plane. */
export const REACH_M = 1.2;
/** Largest index of a slot on any pad: pallets have two layers of four. */
export const MAX_SLOT_INDEX = 7;
/** How many entities the robot can carry. */
export const CARRY_CAPACITY = 1;
/** `set_head` and `look_at` are done when the measured angle is this close. */
export const HEAD_TOLERANCE_DEG = 1;

export const MIN_SIM_SPEED = 0.1;
export const MAX_SIM_SPEED = 10;

export const CAPTURE_MIN_PX = 16;
export const CAPTURE_MAX_WIDTH_PX = 1920;
export const CAPTURE_MAX_HEIGHT_PX = 1080;
export const CAPTURE_DEFAULT_WIDTH_PX = 1280;
export const CAPTURE_DEFAULT_HEIGHT_PX = 720;
export const CAPTURE_DEFAULT_QUALITY = 0.7;
export const CAPTURE_TOPIC = 'platform.camera_capture';

/** How many delivered and collected cubes can still be read; older cubes are forgotten. */
export const COLLECTED_LISTED = 12;
/** How many entities the legend of segmentation pictures names. */
export const LEGEND_MAX_ENTRIES = 256;

/** Maximum number of agents that a session may send into its room in total. */
export const WORKERS_MAX = 16;

/** Room-key lifetimes, in seconds. */
export const ROOM_KEY_DEFAULT_TTL_S = 14_400;
export const ROOM_KEY_MAX_TTL_S = 21_600;

/** The longest token that a page may ask the platform about. */
export const TOKEN_MAX_LENGTH = 8_192;

/** The last moment that a date can express, seconds since the epoch: times of tokens and envelopes lie before it. */
export const MAX_DATE_S = 8_640_000_000_000;

/** Interval at which a runtime sends its room a heartbeat, which the SFU must acknowledge. */
export const ROOM_HEARTBEAT_MS = 250;
/** Time without a packet from the SFU after which the room is silent; noticing it takes up to one more heartbeat. */
export const ROOM_SILENT_AFTER_MS = 2_000;
/**
 * A room that has not answered for this long is joined again once it answers. Connections check themselves every 2.5 s, so this
 * is well above that. An SFU repeats after 1, 3, 7 and 15 s, so a shorter break costs at most 4 s afterwards.
 */
export const ROOM_STALE_AFTER_MS = 7_000;
/** A connection that LiveKit has restored within this time had only a hiccup. */
export const ROOM_HICCUP_MS = 2_000;

/** Product names that appear on the wire. */
export const PRODUCT_NAME = 'simplesim';
export const PROTOCOL_VERSION = 1;
