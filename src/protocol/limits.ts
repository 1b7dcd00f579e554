/** Numbers of the wire contract that more than one room needs. Each is stated here once. */

/** Largest RPC payload or reply, in bytes of UTF-8; older LiveKit clients speak no larger one. */
export const RPC_PAYLOAD_MAX_BYTES = 15_360;
/**
 * Most bytes that a call may unpack to at a robot, because LiveKit sends calls packed: a few kilobytes may hold gigabytes. It is
 * above the size that one call carries, so that a call that is only too large gets an answer in words.
 */
export const CALL_UNPACKED_MAX_BYTES = 64 * 1024;
/** Most values a payload may hold, lists and objects counted too. */
export const PAYLOAD_MAX_VALUES = 512;
/** How deep lists and objects of a payload may stand in each other. */
export const PAYLOAD_MAX_DEPTH = 64;
/** Most ids that one `runtime.scene_state` asks for. */
export const ENTITY_IDS_MAX = 256;
/** Most unknown ids that a reply of `runtime.scene_state` names. */
export const UNKNOWN_IDS_MAX = 16;
/** Longest action id a caller may choose, in characters. */
export const ACTION_ID_MAX_LENGTH = 128;
/** Longest deadline a call may carry. */
export const DEADLINE_MAX_S = 3_600;
/** How long an ended action can be read again by its id, at least. */
export const RESULT_KEPT_MS = 10 * 60_000;
/** How many ended actions can be read again by id, at least, when they are older than that. */
export const RESULTS_KEPT_MIN = 256;
/** The most that are kept, however young: beyond it the caller with the most loses its oldest. */
export const RESULTS_KEPT_MAX = 4_096;

/** The limits of one participant at a runtime: far above the needs of a program, and far below the amount that would keep the robot from others. */
/** Calls a second, over time. */
export const CALLS_PER_SECOND_MAX = 500;
/** Calls at once, after a time with fewer calls. */
export const CALLS_AT_ONCE_MAX = 1_000;
/**
 * Characters of waiting calls, of all participants: as many as one participant may have waiting of the largest calls. When the
 * limit is reached, participants with more than an equal part wait; some stops may exceed it by a few more.
 */
export const CALL_CHARS_WAITING_MAX = 16 * 1024 * 1024;
/** Calls of one participant that may wait beyond those because they stop the robot. One stop is enough; nobody needs this many. */
export const STOPS_AT_ONCE_MAX = 256;
/** Pictures that are not yet drawn and sent. */
export const CAPTURES_WAITING_MAX = 32;
/** How long a capture waits for cameras that are still being built: less than LiveKit's own wait for a reply, 15 s. */
export const CAMERAS_AWAITED_MS = 10_000;
/** Calls that wait for the end of the same action. */
export const JOINED_CALLS_MAX = 256;

/** Fixed step of the simulation. */
export const STEPS_PER_SECOND = 120;
export const STEP_S = 1 / STEPS_PER_SECOND;
/** A postcondition must have held this long, in simulated time, before `done` is said (promise P1). */
export const SETTLE_S = 0.25;
/** A cancelled or expired motion has stopped after this much simulated time, or the reply says what still moves (P7). */
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

/** No scene is larger: a position of a call is at most this far from the origin of the world, along each axis. */
export const MAX_POSITION_M = 1_000;
/** Ten turns: a heading of a call may have been summed up. */
export const MAX_HEADING_DEG = 3_600;
/** How far the length of a call's quaternion may differ from 1, from rounding; it is normalised. */
export const UNIT_LENGTH_TOLERANCE = 0.01;
/** Seeds are whole numbers of 32 bits. */
export const MAX_SEED = 4_294_967_295;

/** Range of `tolerance_m` of `go_to`. */
export const MIN_GO_TO_TOLERANCE_M = 0.01;
export const MAX_GO_TO_TOLERANCE_M = 1;
/** `go_to` with a pose ends within these of it. */
export const GO_TO_TOLERANCE_M = 0.05;
export const GO_TO_TOLERANCE_YAW_DEG = 2;
/** Profile `rcw`: after this long without a packet, a trajectory session lets the arms go limp. */
export const TRAJECTORY_TIMEOUT_MS = 200;
/** Body calls of the `rcw` profile need telemetry no older than this. */
export const TELEMETRY_FRESH_MS = 500;
/** Numbers a pose of one arm has. */
export const ARM_POSE_LENGTH = 5;

/** Farthest a pick or place may be from the base, in the floor plane. */
export const REACH_M = 1.2;
/** Largest index of a slot on any pad: pallets have two layers of four. */
export const MAX_SLOT_INDEX = 7;
/** How many entities the robot can carry. */
export const CARRY_CAPACITY = 1;
/** `set_head` and `look_at` are done when measured is this close. */
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

/** How many cubes that were delivered and collected can still be read; older ones are gone. */
export const COLLECTED_LISTED = 12;
/** How many entities the legend of segmentation pictures names. */
export const LEGEND_MAX_ENTRIES = 256;

/** Agents that a session may have sent into its room, in all. */
export const WORKERS_MAX = 16;

/** Room-key lifetimes, in seconds. */
export const ROOM_KEY_DEFAULT_TTL_S = 14_400;
export const ROOM_KEY_MAX_TTL_S = 21_600;

/** The longest token that a page may ask the platform about. */
export const TOKEN_MAX_LENGTH = 8_192;

/** The last moment that a date can express, seconds since the epoch: times of tokens and envelopes lie before it. */
export const MAX_DATE_S = 8_640_000_000_000;

/** A runtime sends its room a beat this often, which the SFU has to acknowledge. */
export const ROOM_BEAT_MS = 250;
/** Without a packet from the SFU for this long, and one beat more to notice it, the room is silent. */
export const ROOM_SILENT_AFTER_MS = 2_000;
/**
 * A room that has not answered for this long is joined anew once it answers. Connections check themselves every 2.5 s, so this is
 * well above that; and an SFU repeats after 1, 3, 7 and 15 s, so a shorter break costs no more than 4 s afterwards.
 */
export const ROOM_STALE_AFTER_MS = 7_000;
/** A connection that LiveKit has restored within this time had only a hiccup. */
export const ROOM_HICCUP_MS = 2_000;

/** Product names that appear on the wire. */
export const PRODUCT_NAME = 'simplesim';
export const PROTOCOL_VERSION = 1;
