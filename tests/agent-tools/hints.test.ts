import { describe, expect, it } from 'vitest';
import { codeForAgents } from '../../src/agent-tools/codes.ts';
import { HUMANOID } from '../../src/protocol/robots/humanoid.ts';
import * as errors from '../../src/protocol/texts/error-texts.ts';
import { PAGE } from '../../src/protocol/wire/caller.ts';
import { emergencyStopped } from '../../src/protocol/wire/emergency-stop-errors.ts';
import type { RuntimeError } from '../../src/protocol/wire/error-codes.ts';
import * as driverTexts from '../../src/runtime/driver-texts.ts';
import { type FakeRobot, fakeRobot, settle, standing } from './helpers/fake-robot.ts';

const DRIVER = { identity: 'other', name: 'Ann', kind: 'person', since_ms: 0, asked_by: [] } as never;
const ACTIVE = { action_id: 'act-1', kind: 'tool', name: 'go_to', started_at_ms: 0, phase: 'walking' } as const;

/** The robot's refusals whose message has advice for programs. */
const REFUSALS: RuntimeError[] = [
  errors.reservedActionId(),
  errors.unknownSkill('fly', []),
  errors.unknownEntity('cube_9', ['cube_1']),
  errors.collected('cube_1', 'pad_B'),
  errors.noCubeLeft(),
  errors.replyTooLarge(20_000, 'Ask for less.'),
  errors.notReady('physics', 0.4),
  errors.interrupted('go_to', 'tool'),
  errors.busy('pick_entity', ACTIVE, PAGE, ['base'], HUMANOID.words),
  errors.tooManyCalls(500),
  errors.tooManyJoined('go_to', 'act-1'),
  errors.actionNotFound('act-1'),
  errors.actionAlreadyEnded('act-1', 'done'),
  errors.superseded('act-2', 'set_velocity', PAGE),
  errors.notFinite('pose'),
  errors.broken('incident-1'),
  errors.handsFull('cube_1'),
  errors.cubeTooFar('ball_1', 1.34),
  errors.slotTooFar('pad_B', 1, [1, 2], 2),
  errors.freeSlotTooFar('pad_B', 1, [1, 2], 2),
  errors.placeTooFar(2),
  errors.notNearPallet({ pad_B: 2 }),
  errors.noStance('cube_1', HUMANOID.words),
  errors.didNotMove(1, {}),
  driverTexts.notController('pick_entity', DRIVER),
  driverTexts.drivenByAnother(DRIVER),
  driverTexts.notDriving(DRIVER),
  driverTexts.giveToWhom([]),
  driverTexts.droveNoMore('taken', DRIVER),
  emergencyStopped({ by: PAGE, sinceMs: 0 }),
];

const refusing = (error: RuntimeError, fake = fakeRobot()): FakeRobot => {
  fake.answer.invoke = ({ end }) => end({ status: 'failed', error });
  return fake;
};

describe('a rejected motion', () => {
  it('does not take the place of the running one that wait returns', async () => {
    const { use, agent, answer, calls } = fakeRobot();
    const signal = new AbortController().signal;
    const walk = agent.call('go_to', { to: 'pad_A' }, { signal });
    while (calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
    answer.invoke = ({ end }) => end({ status: 'failed', error: { code: 'BUSY', message: 'go_to is running.' } });
    await use('pick', { id: 'cube_1' });
    const waited = agent.call('wait', {}, { signal });
    const actionId = calls[0]?.actionId ?? '';
    calls[0]?.end({ status: 'done', result: {}, meta: { action_id: actionId } });
    expect((await waited).reply.facts).toMatchObject({ status: 'done', action_id: actionId });
    await walk;
  });

  it.each(REFUSALS.map((error) => [error.code, error.message, error] as const))(
    'names tools and not methods of the runtime, and repeats no advice: %s %s',
    async (_code, _message, error) => {
      const { said, facts } = await refusing(error).use('pick', { id: 'cube_1' });
      expect(said).not.toMatch(/runtime\.|details\.|result\./);
      const sentences = said.split(/(?<=[.!?]) /);
      expect(new Set(sentences).size).toBe(sentences.length);
      if (facts.hint !== undefined) expect(said).toContain(facts.hint);
    },
  );

  it.each([
    [errors.unknownEntity('x', []), 'Call get_scene for the ids.'],
    [
      errors.busy('pick_entity', ACTIVE, PAGE, ['base'], HUMANOID.words),
      'Call wait with action_id act-1 for its end, or call stop.',
    ],
    [errors.tooManyCalls(500), 'Call again in 500 ms, and less often.'],
    [errors.noStance('cube_1', HUMANOID.words), undefined],
    [emergencyStopped({ by: PAGE, sinceMs: 0 }), 'Ask a person at the robot to release the emergency stop.'],
    [errors.broken('incident-1'), 'Call once more. If that fails too, call start_over.'],
  ])('has the hint that leads on: %j', async (error, hint) => {
    expect((await refusing(error).use('pick', { id: 'cube_1' })).facts.hint).toBe(hint);
  });

  it('names the thing that is too far, whatever the words that programs look for', async () => {
    const error = errors.cubeTooFar('ball_1', 1.34);
    expect(error.message).toContain('too far from cube (1.34m > 1.20m)');
    expect((await refusing(error).use('pick', { id: 'ball_1' })).said).toContain(
      'Could not pick up ball_1 (OUT_OF_REACH): ball_1 is 1.34 m away, and the robot reaches 1.20 m. Go nearer first: go_to ball_1 stops within reach of it.',
    );
  });

  it('does not advise to start over in an exam', async () => {
    const fake = refusing(errors.broken('incident-1'), fakeRobot({ isExam: true }));
    expect((await fake.use('pick', { id: 'cube_1' })).said).not.toContain('start_over');
  });
});

describe('while another drives', () => {
  it.each([
    ['agent-1', 'Call control with do "ask" to request the robot.'],
    [null, 'Call control with do "ask" to request the robot.'],
    [undefined, 'Ask your user to have someone release the robot. robot_status shows the driver.'],
  ])('a caller with the identity %s is sent to a tool that it can use', async (identity, hint) => {
    const fake = refusing(
      driverTexts.notController('pick_entity', DRIVER),
      fakeRobot({}, () => 'Test', { identity }),
    );
    fake.answer.read = () => standing({ driver: DRIVER });
    expect((await fake.use('pick', { id: 'cube_1' })).facts.hint).toBe(hint);
    expect((await fake.use('robot_status')).facts.next).toBe(hint);
  });
});

describe('an absent robot', () => {
  it('has one code for agents, also if the control service reports it', async () => {
    expect(codeForAgents('runtime.not_present')).toBe('ROBOT_ABSENT');
    expect(codeForAgents('constructor')).toBe('constructor');
    const fake = fakeRobot();
    const error = { code: 'runtime.not_present', message: 'No robot is there. Open its page.' };
    fake.answer.read = () => ({ status: 'failed', error });
    fake.answer.invoke = ({ end }) => end({ status: 'failed', error });
    expect((await fake.use('pick', { id: 'cube_1' })).facts.code).toBe('ROBOT_ABSENT');
    expect((await fake.use('get_scene')).facts.code).toBe('ROBOT_ABSENT');
    const { said, facts } = await fake.use('robot_status');
    expect(facts.status).toBe('absent');
    expect(said).toBe('No robot is there. Open its page. Then call robot_status again.');
  });
});

describe('an action without an answer', () => {
  it('is looked up in the robot by wait, which so does not repeat its own hint', async () => {
    const fake = fakeRobot();
    fake.answer.invoke = ({ fail }) => fail(new Error('The connection broke.'));
    const { said } = await fake.use('go_to', { to: 'pad_A' });
    expect(said).toContain('Call wait with action_id "id-1"');
    const ended = { status: 'done', result: {}, meta: { action_id: 'id-1' } };
    fake.answer.read = (method) => (method === 'runtime.action' ? ended : standing());
    expect((await fake.use('wait')).facts).toMatchObject({ status: 'done', action_id: 'id-1' });
  });

  it('that the robot does not know either is reported as unknown, without a loop', async () => {
    const fake = fakeRobot();
    fake.answer.invoke = ({ fail }) => fail(new Error('The connection broke.'));
    await fake.use('go_to', { to: 'pad_A' });
    fake.answer.read = (method) =>
      method === 'runtime.action' ? { status: 'failed', error: errors.actionNotFound('id-1') } : standing();
    const { said, facts } = await fake.use('wait', { action_id: 'id-1' });
    expect(facts).toMatchObject({ status: 'failed', code: 'ACTION_NOT_FOUND', world_changed: 'unknown' });
    expect(said).not.toContain('wait');
  });
});

describe('a drive that replaces a walk', () => {
  it('names the walk in its sentence and its data, and wait returns the end of the walk', async () => {
    const fake = fakeRobot();
    const walk = fake.use('go_to', { to: 'pad_A' });
    await settle();
    const replaced = errors.superseded('id-2', 'set_velocity', PAGE);
    const end = { status: 'failed' as const, error: replaced, meta: { action_id: 'id-1' } };
    fake.answer.read = (method) => (method === 'runtime.action' ? end : standing());
    fake.answer.invoke = (call) => {
      fake.calls[0]?.end(end);
      call.end({ status: 'done', result: {}, meta: { action_id: call.actionId } });
    };
    const { said, facts } = await fake.use('drive', { vx: 0.5, seconds: 1 });
    expect(facts.replaced).toEqual([{ action_id: 'id-1', name: 'go_to' }]);
    expect(said).toContain('This replaced go_to (action id-1), which has ended: wait returns its result.');
    await walk;
    const waited = await fake.use('wait', { action_id: 'id-1' });
    expect(waited.facts).toMatchObject({ status: 'failed', code: 'CANCELLED', replaced_by: 'id-2' });
    expect(waited.said).toContain('Could not go to pad_A (CANCELLED): Action id-2 replaced it.');
  });
});
