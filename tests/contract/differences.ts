import { robotTruth } from '../runtime/oracle.ts';
import { createTestRuntime, type TestRuntime } from '../runtime/test-runtime.ts';

/** One question put to both runtimes, with the answer of each. */
export interface Difference {
  /** As the guide names it: docs/from-simulator-to-robot.md has a row with these words. */
  title: string;
  /** Asks; the answer is plain data. */
  ask(t: TestRuntime): unknown;
  simulator: unknown;
  worker: unknown;
}

/** A runtime that has stepped; the worker takes unsigned calls unless the question is about that. */
export async function standing(profile: 'simulator' | 'worker', signedControlRequired = false): Promise<TestRuntime> {
  const t = await createTestRuntime({ profile, signedControlRequired });
  t.advance(2);
  return t;
}

const codeOf = (reply: { status: string; error?: { code: string } }): string => reply.error?.code ?? reply.status;
const seconds = (t: TestRuntime, s: number): void => t.advance(Math.round(s * 120));
const turns = (t: TestRuntime): boolean => robotTruth(t.core).angularRps > 0.1;
const ARMS = { r_arm: [0, 0, 0, -1, 0], l_arm: [0, 0, 0, 1, 0] };

/** Every difference between the two contracts. What is not here is the same on both, and contract.test.ts asks for it. */
export const DIFFERENCES: readonly Difference[] = [
  {
    title: 'The skills',
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
    title: 'A skill of the other one',
    ask: (t) =>
      ['go_to', 'pick_entity', 'cancel', 'stop', 'set_upper_body'].map((name) =>
        codeOf(t.start(name, {}).reply ?? { status: 'runs' }),
      ),
    simulator: ['INVALID_INPUT', 'INVALID_INPUT', 'done', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL'],
    worker: ['UNKNOWN_SKILL', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL', 'done', 'INVALID_INPUT'],
  },
  {
    title: 'A parameter it does not know',
    ask: (t) => codeOf(t.invoke('set_velocity', { vx: 0, colour: 'red' })),
    simulator: 'INVALID_INPUT',
    worker: 'done',
  },
  {
    title: 'Do the schemas declare additionalProperties',
    ask: (t) => JSON.stringify(t.read('runtime.tools_list')).includes('additionalProperties'),
    simulator: true,
    worker: false,
  },
  {
    title: 'The name of the turning speed',
    ask: (t) =>
      ['wz', 'vyaw'].map((name) => {
        const { reply } = t.start('set_velocity', { [name]: 0.5, ...(name === 'wz' ? { duration_s: 1 } : {}) });
        seconds(t, 0.5);
        return codeOf(reply ?? { status: turns(t) ? 'turns' : 'stands' });
      }),
    simulator: ['turns', 'INVALID_INPUT'],
    // The one it does not know is dropped: the call is done, and the robot stands.
    worker: ['stands', 'turns'],
  },
  {
    title: 'Five seconds after a velocity with duration_s 0.5',
    ask: (t) => {
      t.start('set_velocity', t.core.profile === 'worker' ? { vyaw: 0.5, duration_s: 0.5 } : { wz: 0.5, duration_s: 0.5 });
      seconds(t, 5);
      return turns(t) ? 'still turns' : 'stands';
    },
    simulator: 'stands',
    worker: 'still turns',
  },
  {
    title: 'When set_velocity answers',
    ask: (t) => {
      const call = t.start('set_velocity', { vx: 0.2 });
      t.advance();
      return call.replies > 0 ? 'when the body has it' : 'when the robot has stopped';
    },
    simulator: 'when the robot has stopped',
    worker: 'when the body has it',
  },
  {
    title: 'cancel-active while the robot drives',
    ask: (t) => {
      t.start('set_velocity', t.core.profile === 'worker' ? { vyaw: 0.5 } : { wz: 0.5, duration_s: 60 });
      seconds(t, 1);
      const call = t.send('runtime.cancel', {});
      seconds(t, 1);
      return [codeOf(call.reply), turns(t) ? 'still turns' : 'stands'];
    },
    simulator: ['CANCELLED', 'stands'],
    worker: ['ACTION_NOT_FOUND', 'still turns'],
  },
  {
    title: 'A body that has not reported for a second',
    ask: (t) => {
      t.nowMs += 1_000;
      return codeOf(t.start('set_velocity', {}).reply ?? { status: 'runs' });
    },
    simulator: 'done',
    worker: 'NOT_READY',
  },
  {
    title: 'Poses of the arms without a renewal for 200 ms',
    ask: (t) => {
      const { reply } = t.start('set_upper_body', ARMS);
      seconds(t, 0.3);
      return codeOf(reply) === 'done' ? t.read('runtime.state').robot.extra.control.upper_body.mode : codeOf(reply);
    },
    simulator: 'UNKNOWN_SKILL',
    worker: 'damp',
  },
  {
    title: 'runtime.forward_envelope without a trusted key',
    ask: (t) => t.read('runtime.forward_envelope', { envelope: 'AAAA' }).error.message.includes('simulator'),
    simulator: true,
    worker: false,
  },
  {
    title: 'The profile in the manifest',
    ask: (t) => t.read('runtime.manifest').profile,
    simulator: 'simulator',
    worker: 'worker',
  },
  {
    title: 'robot.extra.control in the state',
    ask: (t) => t.read('runtime.state').robot.extra.control !== undefined,
    simulator: false,
    worker: true,
  },
];

/** Asked of runtimes as they start, with signed control as it is unless opted out. */
export const UNSIGNED: Difference = {
  title: 'A call without a signature',
  ask: (t) =>
    ['set_velocity', 'stop', 'set_upper_body', 'get_state'].map((name) => codeOf(t.start(name, {}).reply ?? { status: 'runs' })),
  simulator: ['done', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL', 'UNKNOWN_SKILL'],
  worker: ['PERMISSION_DENIED', 'PERMISSION_DENIED', 'PERMISSION_DENIED', 'done'],
};
