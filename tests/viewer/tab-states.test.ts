/** A tab’s states: no network, a longer key, a simulation that fails. */
import { describe, expect, it } from 'vitest';
import { readRoomKey } from '../../src/protocol/room/room-key.ts';
import { endOf } from '../../src/room/ends.ts';
import { createFixture, KEY, keyFor, NOW_MS, settle } from './engine-fixture.ts';

async function live() {
  const fixture = createFixture(KEY);
  await settle();
  await fixture.goLive();
  return fixture;
}
const keyOf = (text: string) => {
  const read = readRoomKey(text, { nowMs: NOW_MS, pageProtocol: 'http:' });
  if (!read.ok) throw new Error(read.message);
  return read.key;
};

describe('a tab without a network', () => {
  it('a tab without a network reports this, and reports when the network is back', async () => {
    const { state, setOnline } = await live();
    expect(state().offline).toBe(false);
    setOnline(false);
    expect(state()).toMatchObject({ offline: true, phase: 'live' });
    setOnline(true);
    expect(state().offline).toBe(false);
  });

  it('a tab that could not reach its room retries automatically when the network is back, and after no other end', async () => {
    const { joins, setConnection, setOnline } = await live();
    const facts = { nowMs: NOW_MS, expiresAtMs: NOW_MS + 1, profile: 'simulator' } as const;
    setConnection({ kind: 'ended', ...endOf('taken_over', facts) });
    setOnline(false);
    setOnline(true);
    await settle();
    expect(joins).toHaveLength(1);
    setConnection({ kind: 'ended', ...endOf('unreachable', facts) });
    setOnline(false);
    setOnline(true);
    await settle();
    expect(joins).toHaveLength(2);
    expect(joins[1]).toMatchObject({ takeOver: false });
  });
});

describe('the key of a visit', () => {
  it('a key that the room extended is the key that a reload finds and the page shows', async () => {
    const { engine, kept, setKey } = await live();
    const longer = keyFor('r1', { exp: NOW_MS / 1000 + 7_200 });
    setKey(keyOf(longer));
    expect(kept.at(-1)).toBe(longer);
    expect(engine.heldKey()?.text).toBe(longer);
    setKey(keyOf(keyFor('r2')));
    expect(kept.at(-1)).toBe(longer);
  });

  it('a key is deleted once the tab has left', async () => {
    const { engine } = await live();
    engine.disconnect();
    await settle();
    expect(engine.heldKey()).toBeNull();
  });
});

describe('a simulation that fails', () => {
  it('a simulation that fails is restarted, and the page shows when', async () => {
    const { state, emit, pass, simulations } = await live();
    pass(60_000);
    emit({ kind: 'failed', message: 'It stopped.' });
    expect(simulations()).toBe(2);
    expect(state()).toMatchObject({ phase: 'loading', restartedAtMs: NOW_MS + 60_000 });
  });

  it('a restarted simulation keeps its viewers, and announces itself in the room', async () => {
    const { emit, pass, log, setWatchers } = await live();
    setWatchers({ present: true, isNew: false, isComing: false });
    emit({ kind: 'world', packets: [new Uint8Array(1), new Uint8Array(1)] });
    expect(log).toContain('2 packets for watchers');
    pass(60_000);
    log.length = 0;
    emit({ kind: 'failed', message: 'It stopped.' });
    expect(log).toContain('watched true by somebody new');
  });

  it('a simulation that fails soon after its start stays stopped, with its sentence', async () => {
    const { state, emit, simulations } = await live();
    emit({ kind: 'failed', message: 'It stopped.' });
    expect(simulations()).toBe(1);
    expect(state()).toMatchObject({ phase: 'loading', restartedAtMs: null });
    expect(state().loading.find(({ id }) => id === 'physics')?.problem).toBe('It stopped.');
  });
});
