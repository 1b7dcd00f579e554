import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findCaller } from '../../src/control-service/accounts.ts';
import type { Caller } from '../../src/control-service/caller.ts';
import { semanticCommand, sessionCommand } from '../../src/control-service/operations/commands.ts';
import { registerPhysicalRobot } from '../../src/control-service/operations/robots.ts';
import { type RpcCall, SfuError } from '../../src/control-service/sfu-admin.ts';
import { startTestService, type TestService } from './helpers/service.ts';

const meta = { action_id: 'a-1', started_at_ms: 1, finished_at_ms: 2, duration_ms: 1 };
const done = { status: 'done', result: { applied: {} }, meta };
const details = { stage: 'readiness', attempted: false, world_changed: 'no', retryable: true };
const failed = (code: string, message: string, more = {}) => ({
  status: 'failed',
  error: { code, message, details: { ...details, ...more } },
});

/** Includes a code that the contract does not have. */
const STATE = {
  timestamp: { wall_time_ms: 1 },
  runtime: { status: 'ready', accepts_tool_calls: true, accepts_capture_requests: true },
  robot: { entity_id: 'robot', status: 'ready' },
  battery: 0.4,
};

async function callerOf({ deps, clock, keys }: TestService): Promise<Caller> {
  const caller = await findCaller(deps.db, clock.nowMs(), keys[0]);
  if (typeof caller === 'string') throw new Error(caller);
  return caller;
}

let service: TestService;
let id: string;

// The service waits by the clock of the test, so that the test runs without real delays.
vi.mock('node:timers/promises', () => ({
  setTimeout: async (delayMs: number, value: unknown, { signal }: { signal?: AbortSignal } = {}) => {
    signal?.throwIfAborted();
    service.clock.advanceMs(delayMs);
    await new Promise((resolve) => setImmediate(resolve));
    return value;
  },
}));

beforeAll(async () => {
  service = await startTestService();
});
beforeEach(async () => {
  await service.reset();
  const created = await service.send('POST', '/v1/robots', { body: { name: 'Ada', model: 'm', type: 'virtual' } });
  id = created.body.result.id;
  await service.send('POST', `/v1/robots/${id}/session`);
  service.sfu.identities = ['client:abc', `simplesim:${id}`];
  service.sfu.answer = () => JSON.stringify(done);
});
afterAll(() => service.close());

const command = (body: object, prefix = '/rcs') => service.send('POST', `${prefix}/v1/robots/${id}/session/command`, { body });
const semantic = (name: string) => service.send('POST', `/v1/robots/${id}/semantic-command`, { body: { command: name } });
const callOf = ({ payload }: RpcCall) => JSON.parse(payload) as { name: string; input: object; options: { action_id: string } };
/** Returns the calls of skills, without the questions for the manifest. */
const calls = () => service.sfu.calls.filter(({ method }) => method === 'runtime.tools_call').map(callOf);

describe('a session command', () => {
  it('a command reaches the runtime in the room and returns its result', async () => {
    const body = {
      skill: 'go_to',
      parameters: { target: { kind: 'entity', entity_id: 'pad_B' } },
      action_id: 'a-1',
      deadline_s: 9,
    };
    expect(await command(body)).toMatchObject({ status: 200, body: done });
    expect(await command(body, '')).toMatchObject({ status: 200, body: { code: 'ok', result: done } });
    const [call] = service.sfu.calls;
    const [room] = service.sfu.rooms.keys();
    expect(call).toMatchObject({ room, identity: `simplesim:${id}`, method: 'runtime.tools_call' });
    expect(calls()[0]).toEqual({ name: 'go_to', input: body.parameters, options: { action_id: 'a-1', deadline_s: 9 } });
  });

  it('P5: is repeated under one action id while no reply comes, and ends with it', async () => {
    let asked = 0;
    service.sfu.answer = () => {
      asked += 1;
      service.clock.advanceMs(2_500);
      if (asked < 4) throw new SfuError('rpc_no_reply', 'late');
      return JSON.stringify(done);
    };
    expect((await command({ skill: 'go_to' })).body).toEqual(done);
    const payloads = new Set(service.sfu.calls.map((call) => call.payload));
    expect([service.sfu.calls.length, payloads.size]).toEqual([4, 1]);
    expect(calls()[0]?.options.action_id).toEqual(expect.any(String));
  });

  it('a command gives up some time after its deadline, and names the action to query', async () => {
    service.sfu.answer = () => {
      service.clock.advanceMs(2_500);
      throw new SfuError('rpc_no_reply', 'late');
    };
    const answer = await command({ skill: 'go_to', deadline_s: 10 });
    expect(answer).toMatchObject({ status: 504, body: { code: 'runtime.timeout' } });
    expect(answer.body.details.action_id).toBe(calls()[0]?.options.action_id);
    expect(service.sfu.calls).toHaveLength(6);
    const named = await command({ skill: 'go_to', deadline_s: 1, action_id: 'mine' });
    expect(named).toMatchObject({ status: 504, body: { details: { action_id: 'mine' } } });
  });

  it('a command waits for a runtime that loses its connection, but not for one that stays away', async () => {
    let asked = 0;
    service.sfu.answer = () => {
      asked += 1;
      service.clock.advanceMs(4_000);
      if (asked < 3) throw new SfuError('no_participant', 'gone');
      return JSON.stringify(done);
    };
    expect((await command({ skill: 'go_to' })).body).toEqual(done);
    service.sfu.answer = () => {
      service.sfu.identities = [];
      service.clock.advanceMs(21_000);
      throw new SfuError('rpc_no_reply', 'late');
    };
    const answer = await command({ skill: 'go_to', action_id: 'a-9' });
    expect(answer).toMatchObject({ status: 409, body: { code: 'runtime.not_present', details: { action_id: 'a-9' } } });
  });

  it('a command outlives an SFU that is away for a while, but not one that stays away', async () => {
    let asked = 0;
    service.sfu.answer = () => {
      asked += 1;
      service.clock.advanceMs(4_000);
      if (asked < 3) throw new SfuError('unreachable', 'gone');
      return JSON.stringify(done);
    };
    expect((await command({ skill: 'go_to' })).body).toEqual(done);
    service.sfu.answer = () => {
      service.sfu.failing.add('listParticipants');
      service.clock.advanceMs(21_000);
      throw new SfuError('unreachable', 'gone');
    };
    const answer = await command({ skill: 'go_to', action_id: 'a-9' });
    expect(answer).toMatchObject({ status: 503, body: { code: 'sfu.unavailable', details: { action_id: 'a-9' } } });
    // Nothing has been sent, so the error names no action to query.
    const never = await command({ skill: 'go_to', action_id: 'a-10' });
    expect(never).toMatchObject({ status: 503, body: { code: 'sfu.unavailable' } });
    expect(never.body.details.action_id).toBeUndefined();
  });

  it('a command waits for an SFU that is away when it is queried, and is sent once the SFU is back', async () => {
    const { sfu, clock } = service;
    const identities = sfu.identities;
    const backAtMs = clock.nowMs() + 15_000;
    sfu.listIdentities = async () => {
      if (clock.nowMs() < backAtMs) throw new SfuError('unreachable', 'gone');
      return identities;
    };
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 200, body: done });
    expect(sfu.calls).toHaveLength(1);
  });

  it('a command is not sent to another runtime while its own may have carried it out', async () => {
    service.sfu.answer = () => {
      service.sfu.identities = ['simplesim-other'];
      service.clock.advanceMs(21_000);
      throw new SfuError('rpc_no_reply', 'late');
    };
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'runtime.not_present' } });
    expect(new Set(service.sfu.calls.map((call) => call.identity))).toEqual(new Set([`simplesim:${id}`]));
  });

  it('a command is not queried after its caller has disconnected', async () => {
    const caller = await callerOf(service);
    const gone = new AbortController();
    service.sfu.answer = () => {
      gone.abort();
      throw new SfuError('rpc_no_reply', 'late');
    };
    const asking = sessionCommand(service.deps, caller, id, { skill: 'go_to' }, gone.signal);
    await expect(asking).rejects.toMatchObject({ name: 'AbortError' });
    expect(service.sfu.calls).toHaveLength(1);
  });

  it.each([
    ['a failed result', { ...failed('CANCELLED', 'It was cancelled.'), meta }],
    ['a refusal without an action', failed('INVALID_INPUT', 'No.')],
    [
      'a code and fields of a runtime of another make',
      { status: 'failed', error: { code: 'E_STOP', message: 'Pressed.' }, lamp: 1 },
    ],
    ['a result with more than the contract has', { ...done, result: { big: 'x'.repeat(14_000) }, runtime_state: STATE }],
  ])('passes on %s unchanged', async (_, reply) => {
    service.sfu.answer = () => JSON.stringify(reply);
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 200, body: reply });
  });

  it.each([
    'not json',
    '{}',
    '[]',
    'null',
    '{"status":"maybe"}',
    '{"status":"failed"}',
    '{"status":"done","error":{"code":"X","message":"y"}}',
  ])('does not accept %s as a reply', async (reply) => {
    service.sfu.answer = () => reply;
    const answer = await command({ skill: 'go_to', action_id: 'a-7' });
    expect(answer).toMatchObject({ status: 502, body: { code: 'runtime.call_failed', details: { action_id: 'a-7' } } });
  });

  it.each([
    ['rpc_failed', 'did not carry out'],
    ['rpc_reply_too_large', 'larger than LiveKit carries'],
  ] as const)('is not repeated after %s', async (reason, sentence) => {
    service.sfu.answer = () => {
      throw new SfuError(reason, 'The participant did not carry out the call.');
    };
    const answer = await command({ skill: 'go_to' });
    expect(answer).toMatchObject({ status: 502, body: { message: expect.stringContaining(sentence) } });
    expect(service.sfu.calls).toHaveLength(1);
  });

  const takesNone = () => {
    throw new SfuError('rpc_unknown_method', 'The participant does not know this call.');
  };

  it('waits for a runtime that has just joined and does not report its methods yet', async () => {
    let refusals = 0;
    service.sfu.answer = () => (++refusals <= 5 ? takesNone() : JSON.stringify(done));
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 200, body: done });
    // A runtime that joins again gets its own waiting time.
    refusals = 0;
    service.sfu.answer = () => {
      refusals += 1;
      if (refusals > 12) return JSON.stringify(done);
      if (refusals === 7) service.sfu.joins.set(`simplesim:${id}`, 2);
      return takesNone();
    };
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 200, body: done });
  });

  it('reports within about a second that a participant accepts no calls', async () => {
    service.sfu.answer = takesNone;
    const beforeMs = service.clock.nowMs();
    expect(await command({ skill: 'go_to' })).toMatchObject({
      status: 502,
      body: { code: 'runtime.call_failed', message: expect.stringContaining('takes no skill calls') },
    });
    expect(service.clock.nowMs() - beforeMs).toBeLessThan(1_500);
  });

  it('a command is refused without a session, without a runtime, or if it is too large', async () => {
    service.sfu.identities = ['client:abc', 'simplesimulator'];
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'runtime.not_present' } });
    service.sfu.identities = [`simplesim:${id}`];
    const large = await command({ skill: 'go_to', parameters: { text: 'x'.repeat(16_000) } });
    expect(large).toMatchObject({ status: 400, body: { message: expect.stringContaining('15360 bytes') } });
    await service.send('DELETE', `/v1/robots/${id}/session`);
    expect(await command({ skill: 'go_to' })).toMatchObject({ status: 409, body: { code: 'session.not_found' } });
    expect(await semantic('forward')).toMatchObject({ status: 409, body: { code: 'session.not_found' } });
  });
});

describe('of several runtimes in the room', () => {
  const reached = async (): Promise<string | undefined> => {
    await command({ skill: 'go_to' });
    return service.sfu.calls.at(-1)?.identity;
  };

  it('a command goes to the robot’s own runtime', async () => {
    service.sfu.identities = ['simplesim', 'rcw-left', `rcw-${id}`, `simplesim:${id}`];
    expect(await reached()).toBe(`simplesim:${id}`);
    service.sfu.identities = ['simplesim', 'rcw-left', `rcw-${id}`];
    expect(await reached()).toBe(`rcw-${id}`);
  });

  it('a command goes to a physical robot’s worker rather than to a tab that stands in for it', async () => {
    const { robot, pinCode } = await registerPhysicalRobot(service.deps, { name: 'Bolt', model: 'h1' });
    id = robot.id;
    await service.send('POST', `/v1/robots/${id}/claim`, { body: { pin_code: pinCode } });
    await service.send('POST', `/v1/robots/${id}/session`);
    service.sfu.identities = [`simplesim:${id}`, `rcw-${id}`];
    expect(await reached()).toBe(`rcw-${id}`);
  });

  it('a command goes to a single runtime of another name, and is refused if there are two', async () => {
    service.sfu.identities = ['client:x', 'rcw-left'];
    expect(await reached()).toBe('rcw-left');
    service.sfu.identities = ['rcw-left', 'rcw-right'];
    expect(await command({ skill: 'go_to' })).toMatchObject({
      status: 409,
      body: { code: 'runtime.ambiguous', details: { identities: ['rcw-left', 'rcw-right'] } },
    });
  });
});

describe('a semantic command', () => {
  const DRIVES = [
    ['forward', { vx: 0.5 }, { vx: 0.5 }],
    ['backward', { vx: -0.5 }, { vx: -0.5 }],
    ['left', { vy: 0.4 }, { vy: 0.4 }],
    ['right', { vy: -0.4 }, { vy: -0.4 }],
    ['turn-left', { wz: 0.8 }, { vyaw: 0.8 }],
    ['turn-right', { wz: -0.8 }, { vyaw: -0.8 }],
  ] as const;

  it.each(DRIVES)('%s is a short drive of the simulator', async (name, velocity) => {
    expect(await semantic(name)).toMatchObject({ status: 200, body: { code: 'ok', result: null } });
    expect(calls().map(({ name: skill, input }) => [skill, input])).toEqual([['set_velocity', { ...velocity, duration_s: 1 }]]);
  });

  it('a failed semantic command reports the runtime’s code', async () => {
    service.sfu.answer = () => JSON.stringify(failed('NOT_READY', 'It loads.'));
    expect(await semantic('forward')).toMatchObject({ status: 409, body: { code: 'NOT_READY', message: 'It loads.' } });
  });

  describe('to a worker that holds its velocity', () => {
    beforeEach(() => {
      service.sfu.identities = [`rcw-${id}`];
    });
    const skills = () => calls().map(({ name, input }) => [name, input]);
    /** Answers by skill; a function may throw. */
    const answering = (answers: Record<string, () => object>) => {
      service.sfu.answer = (call) => JSON.stringify(answers[callOf(call).name]?.() ?? done);
    };
    const silent = () => {
      service.clock.advanceMs(2_500);
      throw new SfuError('rpc_no_reply', 'late');
    };

    it.each(DRIVES)('%s is a velocity and then a stop', async (name, _, velocity) => {
      expect(await semantic(name)).toMatchObject({ status: 200, body: { code: 'ok', result: null } });
      expect(skills()).toEqual([
        ['set_velocity', velocity],
        ['stop', {}],
      ]);
    });

    it('a worker that refuses a semantic command is neither moved nor stopped', async () => {
      // With or without a signature.
      service.sfu.answer = () => JSON.stringify(failed('PERMISSION_DENIED', 'Signed control is on.'));
      expect(await semantic('forward')).toMatchObject({ status: 409, body: { code: 'PERMISSION_DENIED' } });
      expect(skills()).toHaveLength(1);
    });

    it('the worker is stopped if the drive ended badly or its outcome is unknown', async () => {
      answering({ set_velocity: () => ({ ...failed('NAVIGATION_STUCK', 'It slipped.', { attempted: true }), meta }) });
      expect(await semantic('forward')).toMatchObject({ status: 409, body: { code: 'NAVIGATION_STUCK' } });
      expect(skills().at(-1)).toEqual(['stop', {}]);
      answering({ set_velocity: silent });
      expect(await semantic('forward')).toMatchObject({ status: 504, body: { code: 'runtime.timeout' } });
      expect(skills().at(-1)).toEqual(['stop', {}]);
    });

    it('the worker is stopped at once when the caller disconnects', async () => {
      const caller = await callerOf(service);
      const gone = new AbortController();
      answering({
        set_velocity: () => {
          gone.abort();
          return done;
        },
      });
      const driving = semanticCommand(service.deps, caller, id, 'forward', gone.signal);
      await expect(driving).rejects.toMatchObject({ name: 'AbortError' });
      expect(skills().map(([name]) => name)).toEqual(['set_velocity', 'stop']);
    });

    it('the worker gets a zero velocity if it has no stop', async () => {
      answering({ stop: () => failed('UNKNOWN_SKILL', 'There is no skill stop.') });
      expect((await semantic('forward')).status).toBe(200);
      expect(skills().at(-1)).toEqual(['set_velocity', { vx: 0, vy: 0, vyaw: 0 }]);
    });

    it('the worker does not get a lost velocity again after the stop of another request', async () => {
      let stopped: Promise<{ status: number }> | null = null;
      const sent: string[] = [];
      service.sfu.answer = (call) => {
        const { name } = callOf(call);
        sent.push(name);
        if (name !== 'set_velocity') return JSON.stringify(done);
        stopped ??= command({ skill: 'stop' });
        return silent();
      };
      const driven = await command({ skill: 'set_velocity', parameters: { vx: 0.5 }, action_id: 'lost' });
      expect(driven).toMatchObject({ status: 504, body: { code: 'runtime.timeout', details: { action_id: 'lost' } } });
      expect(await stopped).toMatchObject({ status: 200 });
      expect(sent.slice(sent.indexOf('stop'))).toEqual(['stop']);
    });

    it.each([
      ['does not answer to the stop', silent, 'did not answer in time'],
      ['refuses the stop', () => failed('NOT_READY', 'Telemetry is old.'), 'Telemetry is old.'],
    ])('the answer reports that a worker that %s may still move', async (_, stop, why) => {
      let drives = 0;
      answering({
        stop,
        set_velocity: () => {
          drives += 1;
          return drives === 1 ? done : failed('NOT_READY', 'Telemetry is old.');
        },
      });
      const answer = await semantic('forward');
      expect(answer).toMatchObject({
        status: 502,
        body: { code: 'robot.not_stopped', details: { action_id: calls()[0]?.options.action_id } },
      });
      expect(answer.body.message).toContain(why);
      expect(answer.body.message).toContain('may still be moving');
      expect(service.log).toContainEqual(expect.objectContaining({ level: 'error', event: 'robot_not_stopped' }));
    });
  });
});
