/** Every difference between the simulator's contract and the physical robot's. `tests/contract` checks each row on both. */

/** One row of docs/reference/contracts.md. */
interface DifferenceRow {
  /** The check in `tests/contract/differences.ts` has this title too. */
  title: string;
  /** The behaviour of the simulator, in Markdown. */
  simulator: string;
  /** The behaviour of the physical robot's contract, in Markdown. */
  worker: string;
}

/** Rows about one subject. */
interface DifferenceGroup {
  title: string;
  rows: readonly DifferenceRow[];
}

/** Behaviour that is not in a row is the same on both. */
export const CONTRACT_DIFFERENCES = [
  {
    title: 'Find and call the robot',
    rows: [
      {
        title: 'Identity in the room',
        simulator: '`simplesim:<robot_id>`; the prefix `simplesim` finds it',
        worker: '`rcw-<robot_id>`; the prefix `rcw` finds it',
      },
      { title: '`profile` in the manifest', simulator: '`simulator`', worker: '`worker`, with `signed_control` beside it' },
      {
        title: 'Skills',
        simulator: '`set_velocity`, `go_to`, `pick_entity` and [more](skills.md)',
        worker: '`set_velocity`, `stop`, `get_state`, `set_upper_body` ([all](skills-physical.md))',
      },
      {
        title: 'A skill of the other contract',
        simulator: '`UNKNOWN_SKILL`',
        worker: '`UNKNOWN_SKILL`',
      },
      {
        title: 'A call without a signature',
        simulator: 'accepted',
        worker:
          '`PERMISSION_DENIED` if it is `set_velocity`, `stop`, `set_upper_body`, `runtime.cancel`, `runtime.emergency_stop` or `runtime.control`. Reads, including `get_state`, need no signature',
      },
      {
        title: '`runtime.forward_envelope` without a trusted key',
        simulator: '`PERMISSION_DENIED`: the simulator accepts plain calls',
        worker: '`PERMISSION_DENIED`: the robot has no key to check the envelope with',
      },
      {
        title: 'An unknown parameter',
        simulator: '`INVALID_INPUT`, with its name',
        worker: 'ignored without a notice; the call is `done`',
      },
      { title: '`additionalProperties` in the schemas of skills', simulator: '`false`', worker: 'not declared' },
    ],
  },
  {
    title: 'Velocities',
    rows: [
      {
        title: 'Name of the turning speed',
        simulator: '`wz`; `vyaw` is `INVALID_INPUT`',
        worker: '`vyaw`; `wz` is ignored, and the robot does not turn',
      },
      {
        title: '5 s after a velocity with `duration_s: 0.5`',
        simulator: 'the robot stands still',
        worker: '**the robot still moves**: `duration_s` is ignored',
      },
      {
        title: 'Time of the reply to `set_velocity`',
        simulator: 'when the robot has stopped',
        worker: 'when the body has the command; the robot keeps moving',
      },
      {
        title: 'Result of `set_velocity`',
        simulator: '`applied`, `moved`, and `blocked_by` if something stopped the robot',
        worker: '`command`, `holds`, and `ends_at_ms` if the call had a deadline',
      },
      {
        title: 'A running velocity in `runtime.state` and `runtime.action`',
        simulator: 'the active action, with status `busy`; `runtime.action` returns `running`',
        worker:
          'not an action: the status is `ready`, and `robot.extra.control.velocity_holds` is true; `runtime.action` returns `done`',
      },
      {
        title: '`deadline_s` of a velocity',
        simulator: 'ends the action with `DEADLINE_EXCEEDED`; the robot stands still',
        worker:
          'ends the velocity; the robot stands still. The call is `done` long before. The state has `velocity_ends_at_ms`, and then `velocity_ended_by_deadline`',
      },
      {
        title: 'A call that needs the base while another call moves it',
        simulator: '`BUSY`, except that a velocity replaces a velocity or a walk',
        worker:
          'never `BUSY`: the later call wins. The earlier call, if it still runs, is `CANCELLED` with `superseded_by` in the details',
      },
      {
        title: '`runtime.cancel` without an id while the robot drives',
        simulator: 'the action is `CANCELLED`, and the robot stands still',
        worker: '`ACTION_NOT_FOUND`, and **the robot still moves**. Only `stop` or a zero velocity ends it',
      },
    ],
  },
  {
    title: 'Arms',
    rows: [
      {
        title: 'No new arm pose for 200 ms',
        simulator: 'does not apply: the simulator has no `set_upper_body`',
        worker: 'the arms go limp, and the session ends with `TRAJECTORY_TIMEOUT`',
      },
      {
        title: '`runtime.action` of a pose or of `get_state`',
        simulator: '`ACTION_NOT_FOUND`: the simulator has no such skills',
        worker:
          '`ACTION_NOT_FOUND`: a session of poses is one action with an id of its own. A repeated pose with the same `action_id` returns the first reply and is not followed again',
      },
    ],
  },
  {
    title: 'State and pictures',
    rows: [
      {
        title: '`robot.extra.control` in the state',
        simulator: 'missing',
        worker:
          'whether signatures are required, why the body accepts no command (`not_ready`, the complete error), whether a velocity is held, and the state of the arms',
      },
      {
        title: 'Pictures of a robot without a page',
        simulator: '`simplesim headless --pictures` has cameras',
        worker: '`npm run worker` has no cameras; a capture is `UNKNOWN_CAMERA`. A tab with this contract has cameras',
      },
    ],
  },
  {
    title: 'Faults and the emergency stop',
    rows: [
      {
        title: 'Emergency stop',
        simulator: 'the robot brakes, and the arms keep their position and what they hold; every skill is `NOT_READY`',
        worker:
          'the robot brakes, and the arms go limp; every call that moves the body is `NOT_READY`. A press in the room must be signed. A release moves nothing',
      },
      {
        title: 'A body without a report for 1 s',
        simulator: 'does not apply: calls are accepted',
        worker: '`NOT_READY` from 500 ms on; no command is stored for later',
      },
      {
        title: 'After a freeze of the page or process',
        simulator: 'running actions end with `RUNTIME_SUSPENDED`; new calls are accepted at once',
        worker:
          'the robot stands still, and posed arms are limp. A held velocity ends without a message, because it is not an action. For 0.5 s every call that moves the body is `NOT_READY`',
      },
      {
        title: 'After a fault of the physics',
        simulator: '`INTERNAL` until `reset`, which rebuilds the body',
        worker: '`INTERNAL` until the page is reloaded; `npm run worker` restarts the robot automatically',
      },
    ],
  },
] as const satisfies readonly DifferenceGroup[];

/** The title of a row. */
export type DifferenceTitle = (typeof CONTRACT_DIFFERENCES)[number]['rows'][number]['title'];
