import type { DifferenceTitle } from '../../scripts/docs/contract-differences.ts';
import { PAGE } from '../../src/protocol/wire/caller.ts';
import { runtimeIdentity } from '../../src/protocol/wire/identity.ts';
import { endedNewestFirst } from '../../src/runtime/ledger.ts';
import { robotTruth } from '../runtime/oracle.ts';
import { createTestRuntime, type TestRuntime } from '../runtime/test-runtime.ts';

/** One question to both runtimes, with the answer of each. */
export interface Difference {
  /** The row of docs/reference/contracts.md. */
  title: DifferenceTitle;
  /** Asks the question; the answer is plain data. */
  ask(t: TestRuntime): unknown;
  simulator: unknown;
  worker: unknown;
}

/** A runtime that has stepped; the worker accepts unsigned calls unless the question is about signatures. */
export async function standing(profile: 'simulator' | 'worker', signedControlRequired = false): Promise<TestRuntime> {
  const t = await createTestRuntime({ profile, signedControlRequired });
  t.advance(2);
  return t;
}

const codeOf = (reply: { status: string; error?: { code: string } }): string => reply.error?.code ?? reply.status;
const seconds = (t: TestRuntime, s: number): void => t.advance(Math.round(s * 120));
const turns = (t: TestRuntime): boolean => robotTruth(t.core).angularRps > 0.1;
/** A turn on the spot in the words of each contract; the worker would drop the duration anyway. */
const turning = (t: TestRuntime, rps: number) =>
  t.core.contract.profile === 'worker' ? { vyaw: rps } : { wz: rps, duration_s: 60 };
const PAD = { target: { kind: 'entity', entity_id: 'pad_B' } };
const ARMS = { r_arm: [0, 0, 0, -1, 0], l_arm: [0, 0, 0, 1, 0] };

/** Every difference between the two contracts. Everything else is the same on both, and contract.test.ts checks it. */
export const DIFFERENCES: readonly Difference[] = [
  {
    title: 'Skills',
    ask: (t) => t.read('runtime.tools_list').map(({ name }: { name: string }) => name),
    simulator: [
      'set_velocity',
      'go_to',
      'pick_entity',
      'place_entity',
      'set_head',
      'look_at',
      'cancel',
      'reset',
      'select_scene',
      'set_sim_speed',
      'configure_benchmark',
      'set_color_mode',
    ],
    worker: ['set_velocity', 'stop', 'get_state', 'set_upper_body'],
  },
  {
    title: 'A skill of the other contract',
    ask: (t) =>
      ['go_to', 'pick_entity', 'cancel', 'stop', 'set_upper_body'].map((name) =>
        codeOf(t.start(name, {}).reply ?? { status: 'runs' }),
      ),
    simulator: ['INVALID_INPUT', 'INVALID_INPUT', 'done', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL'],
    worker: ['UNKNOWN_SKILL', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL', 'done', 'INVALID_INPUT'],
  },
  {
    title: 'An unknown parameter',
    ask: (t) => codeOf(t.invoke('set_velocity', { vx: 0, colour: 'red' })),
    simulator: 'INVALID_INPUT',
    worker: 'done',
  },
  {
    title: '`additionalProperties` in the schemas of skills',
    ask: (t) => JSON.stringify(t.read('runtime.tools_list')).includes('additionalProperties'),
    simulator: true,
    worker: false,
  },
  {
    title: 'Name of the turning speed',
    ask: (t) =>
      ['wz', 'vyaw'].map((name) => {
        const { reply } = t.start('set_velocity', { [name]: 0.5, ...(name === 'wz' ? { duration_s: 1 } : {}) });
        seconds(t, 0.5);
        return codeOf(reply ?? { status: turns(t) ? 'turns' : 'stands' });
      }),
    simulator: ['turns', 'INVALID_INPUT'],
    // The unknown parameter is dropped: the call is done, and the robot stands.
    worker: ['stands', 'turns'],
  },
  {
    title: '5 s after a velocity with `duration_s: 0.5`',
    ask: (t) => {
      t.start(
        'set_velocity',
        t.core.contract.profile === 'worker' ? { vyaw: 0.5, duration_s: 0.5 } : { wz: 0.5, duration_s: 0.5 },
      );
      seconds(t, 5);
      return turns(t) ? 'still turns' : 'stands';
    },
    simulator: 'stands',
    worker: 'still turns',
  },
  {
    title: 'Result of `set_velocity`',
    ask: (t) => Object.keys(t.invoke('set_velocity', { vx: 0.2 }).result),
    simulator: ['applied', 'moved'],
    worker: ['command', 'holds'],
  },
  {
    title: 'Time of the reply to `set_velocity`',
    ask: (t) => {
      const call = t.start('set_velocity', { vx: 0.2 });
      t.advance();
      return call.replies > 0 ? 'when the body has it' : 'when the robot has stopped';
    },
    simulator: 'when the robot has stopped',
    worker: 'when the body has it',
  },
  {
    title: '`runtime.cancel` without an id while the robot drives',
    ask: (t) => {
      t.start('set_velocity', t.core.contract.profile === 'worker' ? { vyaw: 0.5 } : { wz: 0.5, duration_s: 60 });
      seconds(t, 1);
      const call = t.send('runtime.cancel', {});
      seconds(t, 1);
      return [codeOf(call.reply), turns(t) ? 'still turns' : 'stands'];
    },
    simulator: ['CANCELLED', 'stands'],
    worker: ['ACTION_NOT_FOUND', 'still turns'],
  },
  {
    title: 'A running velocity in `runtime.state` and `runtime.action`',
    ask: (t) => {
      t.start('set_velocity', { vx: 0.2, duration_s: 60 }, { action_id: 'drive' });
      seconds(t, 1);
      const { runtime } = t.read('runtime.state');
      return [runtime.status, runtime.active_action?.name ?? null, t.read('runtime.action', { action_id: 'drive' }).status];
    },
    simulator: ['busy', 'set_velocity', 'running'],
    worker: ['ready', null, 'done'],
  },
  {
    title: '`runtime.action` of a pose or of `get_state`',
    ask: (t) => {
      t.start('set_upper_body', ARMS, { action_id: 'pose' });
      t.start('get_state', {}, { action_id: 'look' });
      t.start('set_velocity', {}, { action_id: 'stand' });
      seconds(t, 1);
      const codes = ['pose', 'look', 'stand'].map((id) => codeOf(t.read('runtime.action', { action_id: id })));
      return [...codes, [...endedNewestFirst(t.core.ledger)].length];
    },
    // The poses are one action of the runtime's own, besides the velocity.
    simulator: ['ACTION_NOT_FOUND', 'ACTION_NOT_FOUND', 'done', 1],
    worker: ['ACTION_NOT_FOUND', 'ACTION_NOT_FOUND', 'done', 2],
  },
  {
    title: '`deadline_s` of a velocity',
    ask: (t) => {
      const call = t.start('set_velocity', turning(t, 0.5), { deadline_s: 1 });
      seconds(t, 0.5);
      const early = call.reply === null ? 'none yet' : codeOf(call.reply);
      const turnedEarly = turns(t);
      seconds(t, 2);
      return [early, turnedEarly, codeOf(call.reply), turns(t)];
    },
    simulator: ['none yet', true, 'DEADLINE_EXCEEDED', false],
    worker: ['done', true, 'done', false],
  },
  {
    title: 'A call that needs the base while another call moves it',
    ask: (t) => {
      t.start('set_velocity', turning(t, 1));
      seconds(t, 1);
      // A worker's only lasting action on the base is a stop.
      const running = t.core.contract.profile === 'worker' ? t.start('stop') : null;
      const later = running ? t.start('set_velocity', turning(t, -1)) : t.start('go_to', PAD);
      t.advance();
      return [codeOf(later.reply ?? { status: 'runs' }), codeOf(running?.reply ?? { status: 'runs on' })];
    },
    simulator: ['BUSY', 'runs on'],
    worker: ['done', 'CANCELLED'],
  },
  {
    title: 'After a freeze of the page or process',
    ask: (t) => {
      const call = t.start('set_velocity', turning(t, 0.5));
      seconds(t, 1);
      const before = codeOf(call.reply ?? { status: 'runs' });
      t.runtime.noteSuspended(3_000, t.nowMs);
      seconds(t, 0.3);
      const after = t.start('set_velocity', {}).reply;
      return [
        before,
        codeOf(call.reply),
        turns(t),
        codeOf(after ?? { status: 'runs' }),
        t.read('runtime.state').runtime.accepts_tool_calls,
      ];
    },
    simulator: ['runs', 'RUNTIME_SUSPENDED', false, 'runs', true],
    // No caller receives it: the call that began it was done long before.
    worker: ['done', 'done', false, 'NOT_READY', false],
  },
  {
    title: 'Emergency stop',
    ask: (t) => {
      t.runtime.emergencyStop(t.nowMs, PAGE);
      t.advance();
      const { runtime, robot } = t.read('runtime.state');
      return [
        codeOf(t.invoke('set_velocity', {})),
        runtime.status,
        runtime.accepts_tool_calls,
        robot.extra.emergency_stop?.by,
        robot.extra.control?.emergency_stop,
      ];
    },
    simulator: ['NOT_READY', 'error', false, "the robot's page", undefined],
    worker: ['NOT_READY', 'error', false, "the robot's page", true],
  },
  {
    title: 'After a fault of the physics',
    ask: (t) => {
      t.core.world.physics.physicsPipeline.raw.step = () => {
        throw new Error('broken');
      };
      t.advance();
      const { code } = t.start('set_velocity', {}).reply.error;
      return [code, codeOf(t.start('reset', {}).reply)];
    },
    simulator: ['INTERNAL', 'done'],
    worker: ['INTERNAL', 'UNKNOWN_SKILL'],
  },
  {
    title: 'Pictures of a robot without a page',
    // As `npm run worker` and `simplesim headless --pictures` start them.
    ask: (t) => {
      if (t.core.contract.profile === 'worker') t.runtime.noteCameras({ kind: 'none' });
      const call = t.send('runtime.cameras_capture', { selector: { kind: 'id', id: 'pov' } });
      const { cameras } = t.read('runtime.capabilities');
      return [
        cameras.length,
        t.read('runtime.state').runtime.accepts_capture_requests,
        codeOf(call.reply ?? { status: 'is taken' }),
      ];
    },
    simulator: [2, true, 'is taken'],
    worker: [0, false, 'UNKNOWN_CAMERA'],
  },
  {
    title: 'Identity in the room',
    ask: (t) => runtimeIdentity(t.core.contract.profile, '<robot_id>'),
    simulator: 'simplesim:<robot_id>',
    worker: 'rcw-<robot_id>',
  },
  {
    title: 'A body without a report for 1 s',
    ask: (t) => {
      t.nowMs += 1_000;
      return codeOf(t.start('set_velocity', {}).reply ?? { status: 'runs' });
    },
    simulator: 'done',
    worker: 'NOT_READY',
  },
  {
    title: 'No new arm pose for 200 ms',
    ask: (t) => {
      const { reply } = t.start('set_upper_body', ARMS);
      seconds(t, 0.3);
      return codeOf(reply) === 'done' ? t.read('runtime.state').robot.extra.control.upper_body.mode : codeOf(reply);
    },
    simulator: 'UNKNOWN_SKILL',
    worker: 'damp',
  },
  {
    title: '`runtime.forward_envelope` without a trusted key',
    ask: (t) => t.read('runtime.forward_envelope', { envelope: 'AAAA' }).error.message.includes('simulator'),
    simulator: true,
    worker: false,
  },
  {
    title: '`profile` in the manifest',
    ask: (t) => t.read('runtime.manifest').profile,
    simulator: 'simulator',
    worker: 'worker',
  },
  {
    title: '`robot.extra.control` in the state',
    ask: (t) => t.read('runtime.state').robot.extra.control !== undefined,
    simulator: false,
    worker: true,
  },
];

/** Asked of runtimes as they start, with signed control on unless the question opts out. */
export const UNSIGNED: Difference = {
  title: 'A call without a signature',
  ask: (t) => [
    ...['set_velocity', 'stop', 'set_upper_body', 'get_state'].map((name) =>
      codeOf(t.start(name, {}).reply ?? { status: 'runs' }),
    ),
    codeOf(t.read('runtime.cancel')),
    codeOf(t.read('runtime.control', { action: 'take' })),
    codeOf(t.send('runtime.emergency_stop', {}).reply ?? { status: 'runs' }),
  ],
  simulator: ['done', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL', 'ACTION_NOT_FOUND', 'done', 'done'],
  worker: [
    ...['PERMISSION_DENIED', 'PERMISSION_DENIED', 'PERMISSION_DENIED', 'done'],
    ...['PERMISSION_DENIED', 'PERMISSION_DENIED', 'PERMISSION_DENIED'],
  ],
};
