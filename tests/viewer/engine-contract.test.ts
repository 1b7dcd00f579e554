import { describe, expect, it } from 'vitest';
import { createFixture, KEY, PRESSED, RCW_KEY, settle } from './engine-fixture.ts';

describe('the contract of the robot', () => {
  it('the key decides the contract: a key for a worker makes the tab a worker from its first world', async () => {
    const fixture = createFixture(RCW_KEY);
    await settle();
    expect(fixture.profiles).toEqual(['worker']);
    expect(fixture.state().profile).toBe('worker');
    expect(fixture.joins).toMatchObject([{ key: { identity: 'rcw-r1' } }]);
    await fixture.goLive();
  });

  it('the contract changes with a key that is given later, and the world starts from scratch', async () => {
    const fixture = createFixture();
    expect(fixture.profiles).toEqual(['simulator']);
    fixture.engine.connect(RCW_KEY);
    expect(fixture.profiles).toEqual(['simulator', 'worker']);
    await settle();
    await fixture.goLive();
    fixture.engine.disconnect();
    fixture.engine.disconnect();
    fixture.engine.connect(KEY);
    expect(fixture.profiles).toEqual(['simulator', 'worker', 'simulator']);
    expect(fixture.state().profile).toBe('simulator');
  });

  it('P5: the records of two contracts in one room are kept apart', async () => {
    const fixture = createFixture(KEY);
    await settle();
    await fixture.goLive();
    fixture.engine.disconnect();
    fixture.engine.disconnect();
    fixture.engine.connect(RCW_KEY);
    await settle();
    await fixture.goLive();
    const places = fixture.orders.filter(({ isMine }) => isMine).map(({ place }) => place);
    expect(places).toEqual(['ws://127.0.0.1:7880 room-r1/simplesim:r1', 'ws://127.0.0.1:7880 room-r1/rcw-r1']);
  });

  it('the address decides the contract of a robot of the tab alone, whatever ran earlier', async () => {
    const fixture = createFixture(RCW_KEY);
    await settle();
    await fixture.goLive();
    fixture.engine.disconnect();
    fixture.engine.disconnect();
    fixture.engine.tryHere();
    expect(fixture.profiles).toEqual(['worker', 'simulator']);
    const asked = createFixture(null, false, true, 'worker');
    asked.engine.tryHere();
    expect(asked.profiles).toEqual(['worker']);
  });

  it.each([
    ['worker', KEY, /for the simulator/],
    ['simulator', RCW_KEY, /physical robot/],
  ] as const)('a page asked for the %s rejects a key of the other contract, with a remedy', async (profile, other, sentence) => {
    const fixture = createFixture(other, false, true, profile);
    await settle();
    expect(fixture.state()).toMatchObject({ phase: 'gate', profile, gateProblem: expect.stringMatching(sentence) });
    expect(fixture.joins).toEqual([]);
    expect(fixture.kept.at(-1)).toBeNull();
  });

  it('a robot in a new room trusts no participant of its previous room', async () => {
    const fixture = createFixture(RCW_KEY);
    await settle();
    await fixture.goLive();
    fixture.setMetadata(JSON.stringify({ robot_id: 'r1', control_keys: [] }));
    fixture.engine.disconnect();
    fixture.engine.disconnect();
    fixture.log.length = 0;
    fixture.engine.connect(KEY);
    fixture.setMetadata(JSON.stringify({ robot_id: 'r1', control_keys: [] }));
    expect(fixture.log.filter((line) => line.startsWith('trust'))).toEqual([]);
  });
});

describe('a robot that no one in the room can reach', () => {
  it('an unreachable worker is stopped, and rejects commands of the room until it can be reached', async () => {
    const { call, goLive, log, setOutOfReach } = createFixture(RCW_KEY, false, true, 'worker');
    await settle();
    await goLive();
    setOutOfReach('silent');
    expect(log).toContain('cancel by the tab, which heard nothing from its room for 2 s');
    for (const method of ['runtime.tools_call', 'runtime.cancel', 'runtime.forward_envelope']) {
      expect(JSON.parse(await call(method))).toMatchObject({ error: { code: 'NOT_READY' } });
    }
    expect(JSON.parse(await call('runtime.state'))).toEqual({ answered: 'runtime.state' });
    setOutOfReach(null);
    expect(JSON.parse(await call('runtime.tools_call'))).toEqual({ answered: 'runtime.tools_call' });
  });

  it('an unreachable simulator continues, because its velocities expire', async () => {
    const { call, goLive, log, setOutOfReach } = createFixture(KEY);
    await settle();
    await goLive();
    setOutOfReach('silent');
    expect(log.filter((line) => line.startsWith('cancel'))).toEqual([]);
    expect(JSON.parse(await call('runtime.tools_call'))).toEqual({ answered: 'runtime.tools_call' });
  });
});

describe('the emergency stop of the page', () => {
  const LATCHED = "emergency stop true by the robot's page";
  const worker = () => createFixture(RCW_KEY, false, true, 'worker');

  it('the emergency stop is passed to the world that starts after a fault, before anything else', async () => {
    const fixture = worker();
    await settle();
    await fixture.goLive();
    fixture.engine.emergencyStop(true);
    expect(fixture.log.at(-1)).toBe(LATCHED);
    expect([...fixture.browser.values()]).toEqual([JSON.stringify(PRESSED)]);
    fixture.pass(11_000);
    fixture.emit({ kind: 'failed', message: 'a fault' });
    expect(fixture.simulations()).toBe(2);
    const after = fixture.log.slice(fixture.log.indexOf('simulation 1 disposed'));
    expect(after.find((line) => /^(emergency|trust|hidden|cancel)/.test(line))).toBe(LATCHED);
  });

  it('the emergency stop also works for a simulator', () => {
    const { engine, log } = createFixture(KEY, false, true, 'simulator');
    engine.emergencyStop(true);
    expect(log).toContain(LATCHED);
  });
});
