/**
 * The meanings of the log lines. The code does not declare a list of its events, so `tests/docs/operations.test.ts` compares
 * names, fields and files with the calls of the log.
 */
export interface LogEvent {
  name: string;
  meaning: string;
  /** Fields in addition to `time`, `level` and `event`. */
  fields: readonly string[];
  /** The files that log it. */
  files: readonly string[];
}

const OPERATIONS = 'src/control-service/operations';
const BODY = 'src/worker/robot/body.ts';
const MEMBERSHIP = 'src/worker/robot/membership.ts';
const LIVE_ROBOT = 'src/worker/robot/live-robot.ts';
const WORLD_KEEPER = 'src/worker/robot/world-keeper.ts';
const AGENT_LINK = 'src/worker/agent-link.ts';
const JOBS = 'src/worker/jobs.ts';
const WORKER_COMMAND = 'src/launch/worker-command.ts';
const HEADLESS_COMMAND = 'src/launch/headless-command.ts';
/** The fields that `errorFacts` returns. */
const ERROR = ['error', 'at'];

const event = (name: string, file: string | readonly string[], fields: readonly string[], meaning: string): LogEvent => ({
  name,
  meaning,
  fields,
  files: [file].flat(),
});

/** The log of the control service and of `npm start`. */
export const SERVICE_EVENTS: readonly LogEvent[] = [
  event('api_key_made', `${OPERATIONS}/api-keys.ts`, ['account_id', 'key_id', 'by_key_id'], 'An API key was created over HTTP.'),
  event(
    'api_key_revoked',
    `${OPERATIONS}/api-keys.ts`,
    ['account_id', 'key_id', 'by_key_id'],
    'An API key was revoked over HTTP.',
  ),
  event(
    'connection_dropped',
    'src/launch/http-server.ts',
    ['connections_max'],
    'The port has its maximum of connections, and one more was closed.',
  ),
  event(
    'database',
    ['src/launch/platform.ts', 'src/launch/service-serve.ts'],
    ['message'],
    'The database server closed a connection that was not in use.',
  ),
  event(
    'database_disk_full',
    'src/control-service/app.ts',
    ['request_id', 'message', ...ERROR],
    'The disk of the database is full. `message` contains what to do.',
  ),
  event(
    'database_unavailable',
    'src/control-service/app.ts',
    ['request_id', ...ERROR],
    'The database does not answer. The caller got 503.',
  ),
  event(
    'emergency_stop',
    `${OPERATIONS}/emergency-stop.ts`,
    ['robot_id', 'account_id'],
    'The emergency stop of a robot was pressed over HTTP.',
  ),
  event(
    'emergency_stop_released',
    `${OPERATIONS}/latched-stops.ts`,
    ['robot_id', 'robot', 'pressed_by', 'place'],
    'A person released an emergency stop at the robot.',
  ),
  event(
    'link_not_renewed',
    'src/launch/platform.ts',
    ['code', 'message'],
    '`npm start` could not write a fresh link to `local.json`.',
  ),
  event(
    'link_revoked',
    `${OPERATIONS}/closed-links.ts`,
    ['robot_id', 'account_id', 'link_id'],
    'A link to watch or to drive was revoked.',
  ),
  event(
    'owner_order',
    `${OPERATIONS}/owner-orders.ts`,
    ['robot_id', 'account_id', 'driver'],
    'The owner ordered who drives; `driver` is null for no one.',
  ),
  event(
    'pin_needed',
    `${OPERATIONS}/pin-life.ts`,
    ['robot_id', 'reason'],
    'A physical robot without an owner has no valid PIN. Issue a new one.',
  ),
  event(
    'repeated_work_failed',
    'src/control-service/repeated-work.ts',
    ['work', 'robot_id', ...ERROR],
    'A background job failed for the first time. Further failures are not logged.',
  ),
  event(
    'repeated_work_recovered',
    'src/control-service/repeated-work.ts',
    ['work', 'robot_id'],
    'That background job succeeded again.',
  ),
  event(
    'request',
    'src/control-service/app.ts',
    ['request_id', 'method', 'face', 'route', 'robot_id', 'account_id', 'status', 'code', 'duration_ms'],
    'A request was answered. The level is `error` from status 500 on. `route` is the pattern of the address.',
  ),
  event(
    'request_unreadable',
    'src/launch/http-server.ts',
    ['request_id', 'code'],
    'A request was not valid HTTP, too large, or too slow.',
  ),
  event(
    'robot_not_stopped',
    `${OPERATIONS}/commands.ts`,
    ['room', 'action_id'],
    'A robot may still be moving: the service could not stop it after a semantic command.',
  ),
  event(
    'serving',
    'src/launch/service-serve.ts',
    ['base_url', 'database'],
    'The service is ready. `database` is `server` or `folder`.',
  ),
  event(
    'session_ended',
    `${OPERATIONS}/idle-sessions.ts`,
    ['robot_id', 'room', 'reason'],
    'The service ended a session: `unused`, or `left` by a request that did not finish.',
  ),
  event('sfu', 'src/launch/platform.ts', ['message'], 'The SFU of `npm start` ended, restarted, or was given up.'),
  event('stopped', 'src/launch/service-serve.ts', [], 'The service has ended.'),
  event('stopping', 'src/launch/service-serve.ts', [], 'The service accepts no more requests and finishes those in progress.'),
  event(
    'unforeseen_error',
    ['src/control-service/app.ts', `${OPERATIONS}/press-runtimes.ts`],
    ['request_id', 'robot_id', ...ERROR],
    'A fault of the service. `at` names the place in the code.',
  ),
];

/** The log of `npm run worker` and `npm run headless`. */
export const ROBOT_EVENTS: readonly LogEvent[] = [
  event(
    'cameras_broken',
    'src/worker/robot/body-cameras.ts',
    ['attempt', 'message'],
    'The cameras could not be prepared. The robot tries again.',
  ),
  event('cameras_ready', 'src/worker/robot/body-cameras.ts', [], 'The cameras work after a failure.'),
  event('driver_changed', BODY, ['why', 'by', 'driver', 'previous'], 'Another participant drives, or no one does.'),
  event('emergency_stop', BODY, ['robot', 'caller', 'caller_kind', 'caller_name', 'reason'], 'The emergency stop was pressed.'),
  event(
    'emergency_stop_not_kept',
    BODY,
    [...ERROR, 'message'],
    'The stop could not be written to the disk, so a restart would lose it.',
  ),
  event(
    'emergency_stop_presser',
    BODY,
    ['robot', 'caller', 'caller_kind', 'caller_name', 'reason'],
    'The room corrected who pressed the stop.',
  ),
  event(
    'emergency_stop_released',
    [BODY, 'src/launch/release-stops.ts'],
    ['robot_id', 'robot', 'pressed_by', 'place'],
    'A person released the emergency stop.',
  ),
  event('ended', WORKER_COMMAND, ['message'], 'The worker ends; `message` contains the reason.'),
  event('fault', [WORKER_COMMAND, HEADLESS_COMMAND], ERROR, 'A fault of the command.'),
  event('headless', HEADLESS_COMMAND, ['robots', 'robot', 'scene', 'seed'], '`npm run headless` starts so many robots.'),
  event('job_passed', JOBS, ['job', 'room', 'robot_id', 'message'], 'The worker is full and left a job to another worker.'),
  event('job_refused', JOBS, ['job', 'room', 'robot_id', 'message'], 'The worker refused a job.'),
  event('job_taken_up', JOBS, ['robot_id', 'room', 'message'], 'The worker took up a job that it missed.'),
  event('no_platform', AGENT_LINK, ['message'], 'No platform of this machine was found. The worker tries again.'),
  event('page_build', HEADLESS_COMMAND, ['message'], 'The page, which draws the pictures, is built.'),
  event('registered', AGENT_LINK, ['name', 'sfu'], 'The worker is registered at the SFU and waits for sessions.'),
  event('robot_broke', 'src/headless/agent-robot.ts', ['message'], 'The simulation of an agent client broke by a fault.'),
  event('robot_broken', LIVE_ROBOT, ERROR, 'The process of a robot ended by a fault.'),
  event(
    'robot_cancelled',
    'src/worker/robot/audit.ts',
    ['skill', 'action_id', 'caller', 'caller_kind', 'carrier', 'grant_id', 'more_before'],
    'A caller cancelled an action. Repeats within 10 s are one line; `more_before` counts them.',
  ),
  event(
    'robot_commanded',
    'src/worker/robot/audit.ts',
    ['skill', 'action_id', 'caller', 'caller_kind', 'carrier', 'grant_id', 'more_before'],
    'A caller started an action. Repeats within 10 s are one line; `more_before` counts them.',
  ),
  event(
    'robot_fault',
    BODY,
    ['incident', ...ERROR],
    'A fault in a skill or in the physics. `incident` is the reference in the `INTERNAL` error.',
  ),
  event('robot_frozen', BODY, ['gap_ms', 'message'], 'The process did not run for `gap_ms`.'),
  event('robot_heard', MEMBERSHIP, ['unheard_ms', 'message'], 'Packets arrive again.'),
  event('robot_joined', LIVE_ROBOT, ['identity', 'room'], 'The robot joined its room.'),
  event('robot_not_started', HEADLESS_COMMAND, ['robot_id', 'room', 'message'], 'A robot could not start.'),
  event(
    'robot_over',
    [HEADLESS_COMMAND, 'src/worker/fleet.ts'],
    ['robot_id', 'room', 'why', 'message'],
    'A robot has ended; the reasons are below.',
  ),
  event('robot_process_fault', 'src/worker/robot/robot-process.ts', ERROR, 'An unforeseen fault in the process of a robot.'),
  event('robot_ready', BODY, [], 'The robot accepts commands.'),
  event('robot_reconnected', MEMBERSHIP, [], 'The connection to the room is restored.'),
  event('robot_reconnecting', MEMBERSHIP, [], 'The connection to the room is lost and is being restored.'),
  event('robot_rejoins', MEMBERSHIP, ['attempt', 'message'], 'The robot joins its room again.'),
  event(
    'robot_says',
    'src/worker/robot-link.ts',
    ['robot_id', 'message'],
    'A line that the process of a robot wrote to its error output.',
  ),
  event('robot_silent', MEMBERSHIP, ['unheard_ms', 'message'], 'No packet has arrived for `unheard_ms`.'),
  event('robot_starts', 'src/worker/fleet.ts', ['robot_id', 'room', 'seed', 'pid'], 'The worker started the process of a robot.'),
  event('robot_stopped', LIVE_ROBOT, ['stands'], 'The robot ends; `stands` is whether its body is at rest.'),
  event('robot_unreachable', LIVE_ROBOT, ['why', 'stands'], 'No one can reach the robot, so it stopped.'),
  event('room_not_loaded', MEMBERSHIP, ERROR, "LiveKit's package for Node does not load."),
  event('rooms_not_read', 'src/worker/start.ts', ERROR, 'The worker could not look for missed jobs. It tries again.'),
  event('scene_not_opened', BODY, ['scene', 'message'], 'The session asks for an unknown scene. The start scene is open.'),
  event('sfu_unreachable', AGENT_LINK, ['sfu', 'message'], 'The SFU does not answer. The worker tries again.'),
  event('stopped', WORKER_COMMAND, [], 'The worker has ended.'),
  event('stopping', [WORKER_COMMAND, HEADLESS_COMMAND], ['message'], 'Every robot stops and leaves its room.'),
  event('UNSIGNED_CONTROL', WORKER_COMMAND, ['message'], 'The worker accepts unsigned calls (`RCW_RSL_REQUIRED=false`).'),
  event('worker', WORKER_COMMAND, ['name', 'signed_only', 'message'], 'The worker starts under this name.'),
  event('world_not_kept', WORLD_KEEPER, ['file', ...ERROR, 'message'], 'The world could not be written to the disk.'),
  event('world_not_restored', WORLD_KEEPER, ['why', 'file', ...ERROR, 'message'], 'The robot starts with a new world.'),
  event('world_restored', WORLD_KEEPER, ['step', 'seed', 'kept_ms_ago'], 'The robot continues its kept world.'),
  event('worlds_not_swept', ['src/worker/start.ts', HEADLESS_COMMAND], ERROR, 'Old worlds could not be deleted.'),
];
