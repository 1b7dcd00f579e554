import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newApiKey } from '../../src/control-service/secrets.ts';
import { readSignedOnly, readWorkerArgs, WORKER_USAGE } from '../../src/launch/worker-args.ts';
import { jsonLine, plainLine, withoutTokens } from '../../src/worker/log.ts';
import { readRoomFacts } from '../../src/worker/room-facts.ts';

const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJyIn0.c2lnbmF0dXJl';

describe('the arguments of the worker', () => {
  it('all arguments have defaults and are listed in the help', () => {
    expect(readWorkerArgs([])).toEqual({
      name: 'rcw',
      seed: null,
      maxRobots: 4,
      keyFromStdin: false,
      logAs: null,
      releaseStops: false,
    });
    expect(readWorkerArgs(['--help'])).toBeNull();
    for (const word of ['--name', '--seed', '--max-robots', '--key-from-stdin', '--log', 'LIVEKIT_URL', 'RCW_RSL_REQUIRED']) {
      expect(WORKER_USAGE).toContain(word);
    }
  });

  it.each([
    [['--seed', '-1']],
    [['--seed', '4294967296']],
    [['--seed', '1e3']],
    [['--max-robots', '0']],
    [['--name', 'two words']],
    [['--log', 'xml']],
    [['--key', 'k1~a~b']],
    [['stray']],
  ])('rejects the arguments %j with a full sentence', (args) => {
    expect(() => readWorkerArgs(args)).toThrow(/must be|There is no option|one too many|needs a value/);
  });

  it('opens a robot to unsigned calls only for the word false', () => {
    expect([{}, { RCW_RSL_REQUIRED: '' }, { RCW_RSL_REQUIRED: 'true' }].map(readSignedOnly)).toEqual([true, true, true]);
    expect(readSignedOnly({ RCW_RSL_REQUIRED: 'false' })).toBe(false);
    for (const value of ['0', 'no', 'False', 'off', ' false']) {
      expect(() => readSignedOnly({ RCW_RSL_REQUIRED: value })).toThrow('must be true or false');
    }
  });
});

describe('the metadata of a room', () => {
  it('room metadata names the robot, the requested agents and the accepted signing keys', () => {
    const key = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
    const metadata = { robot_id: 'r1', dispatched_agent_names: ['rcw', 5], control_keys: { keys: [key] } };
    expect(readRoomFacts(JSON.stringify(metadata))).toEqual({
      robotId: 'r1',
      agentNames: ['rcw'],
      controlKeys: { keys: [key] },
      emergencyStop: null,
      ownerOrder: null,
    });
  });

  it.each([
    ['of now', { dispatched_agent_names: ['rcw', '__proto__'], dispatches: JSON.parse('{"rcw": {"id": "1"}, "__proto__": {}}') }],
    ['without the list of names', { dispatches: JSON.parse('{"rcw": {"id": "1"}, "__proto__": {}}') }],
    ['that an older service made', { dispatches: [{ id: '1', agent_name: 'rcw' }, { agent_name: '__proto__' }, null, 5, {}] }],
  ])('reads the agents from %s', (_, metadata) => {
    const facts = readRoomFacts(JSON.stringify({ robot_id: 'r1', ...metadata }));
    expect(facts).toEqual({
      robotId: 'r1',
      agentNames: ['rcw', '__proto__'],
      controlKeys: null,
      emergencyStop: null,
      ownerOrder: null,
    });
  });

  it.each(['', '{', 'null', '[]', '5', '{"robot_id": 5}', '{"robot_id": ""}', '{"robot_id": "a b"}', '{"control_keys": {}}'])(
    'room metadata %j yields no settings',
    (metadata) => {
      expect(readRoomFacts(metadata)).toEqual({
        robotId: null,
        agentNames: [],
        controlKeys: null,
        emergencyStop: null,
        ownerOrder: null,
      });
    },
  );
});

describe('the log', () => {
  it('a log entry is a line of JSON for programs or a text line for people', () => {
    const entry = { level: 'warn', event: 'robot_over', robot_id: 'r1', why: undefined, message: 'It is free.' } as const;
    expect(JSON.parse(jsonLine(entry, 0))).toEqual({ time: '1970-01-01T00:00:00.000Z', ...JSON.parse(JSON.stringify(entry)) });
    expect(plainLine(entry, 0)).toBe('00:00:00 WARN robot over  robot_id=r1  — It is free.');
  });

  it('the log omits tokens from native messages and the text of errors', () => {
    expect(withoutTokens(`connect to ws://h/rtc?access_token=${TOKEN} failed`)).toBe(
      'connect to ws://h/rtc?access_token=<token> failed',
    );
    expect(withoutTokens(`"api_key":"${newApiKey(randomBytes)}", of sk_live_ and sk_live_Ab3d…`)).toBe(
      '"api_key":"<key>", of sk_live_ and sk_live_Ab3d…',
    );
  });
});
