/** The owner of a kept world: the robot at the media server that accepted its key. */
import { describe, expect, it } from 'vitest';
import { endOf } from '../../src/room/ends.ts';
import type { EmergencyStop } from '../../src/runtime/emergency-state.ts';
import { createFixture, KEY, keyFor, NOW_MS, settle } from './engine-fixture.ts';

const FACTS = { nowMs: NOW_MS, expiresAtMs: NOW_MS + 1, profile: 'simulator' } as const;
const ELSEWHERE = keyFor('r1', {}, 'wss://attacker.example');

/** @returns the places in which a page of this key has claimed a world, once its server has accepted it */
async function claimedBy(key: string): Promise<(string | null)[]> {
  const { orders, goLive } = createFixture(key);
  await settle();
  await goLive();
  return orders.filter(({ isMine }) => isMine).map(({ place }) => place);
}

describe('a kept world', () => {
  it('a kept world of one media server is not the world of the same room and robot at another media server', async () => {
    const [own] = await claimedBy(KEY);
    const [other] = await claimedBy(ELSEWHERE);
    expect(own).toContain('room-r1/simplesim:r1');
    expect(other).not.toEqual(own);
  });

  it('a kept world is the same for every spelling of the address of its media server', async () => {
    const [plain] = await claimedBy(keyFor('r1', {}, 'wss://sfu.example'));
    expect(await claimedBy(keyFor('r1', {}, 'wss://SFU.example:443/'))).toEqual([plain]);
    expect(await claimedBy(keyFor('r1', {}, 'wss://sfu.example:444'))).not.toEqual([plain]);
    expect(await claimedBy(keyFor('r1', {}, 'wss://sfu.example/other'))).not.toEqual([plain]);
  });

  it('a kept world is not claimed before the media server accepts the key, and not cleared by a server that rejects it', async () => {
    const { orders, setConnection } = createFixture(KEY);
    await settle();
    for (const reason of ['refused', 'session_deleted'] as const) {
      setConnection({ kind: 'ended', ...endOf(reason, FACTS) });
      expect(orders.filter(({ isMine, forget }) => isMine || forget.length > 0)).toEqual([]);
    }
  });

  it('a kept world is claimed before the first call of the room is passed on', async () => {
    const { orders, setMetadata } = createFixture(KEY);
    await settle();
    setMetadata('');
    expect(orders.at(-1)).toMatchObject({ isMine: true });
    setMetadata('{}');
    expect(orders.filter(({ isMine }) => isMine)).toHaveLength(1);
  });
});

/** A browser whose storage is full. */
class FullStorage extends Map<string, string> {
  override set(): never {
    throw new Error('full');
  }
}

describe('a latched emergency stop', () => {
  const STOP: EmergencyStop = { by: { kind: 'participant', identity: 'ann' }, sinceMs: 5, reason: 'a person is in the aisle' };
  const IS_LATCHED = 'emergency stop true by ann';
  const isReported = ({ log }: { log: string[] }): boolean => log.includes(IS_LATCHED);

  /** A page of this browser with a key whose join its server accepted. */
  async function open(key: string | null, browser: Map<string, string>) {
    const fixture = createFixture(key, false, true, null, true, null, browser);
    await settle();
    if (key !== null) await fixture.goLive();
    return fixture;
  }

  /** A browser in which the stop of the robot of `KEY` was pressed over the room, and whose tab was closed. */
  async function pressedBefore(): Promise<Map<string, string>> {
    const browser = new Map<string, string>();
    const { emit } = await open(KEY, browser);
    emit({ kind: 'emergency', latched: STOP });
    return browser;
  }

  it('a latched stop is found by a new tab, with presser and reason, before the room is joined', async () => {
    const fixture = createFixture(KEY, false, true, null, true, null, await pressedBefore());
    expect(isReported(fixture)).toBe(true);
  });

  it('a latched stop outlives its session: the robot in a new room is still stopped', async () => {
    const browser = new Map<string, string>();
    const before = await open(KEY, browser);
    before.emit({ kind: 'emergency', latched: STOP });
    before.setConnection({ kind: 'ended', ...endOf('session_deleted', FACTS) });
    const next = keyFor('r1', { video: { room: 'another room', roomJoin: true, canPublishData: true } });
    expect(isReported(await open(next, browser))).toBe(true);
  });

  it('a latched stop moves with the running robot to a key with another address of its media server', async () => {
    const browser = await pressedBefore();
    const moved = keyFor('r1', {}, 'ws://127.0.0.1:7990');
    const fixture = createFixture(KEY, false, true, null, true, null, browser);
    fixture.deps.askToComeBack = async () => moved;
    await settle();
    await fixture.goLive();
    fixture.setConnection({ kind: 'ended', ...endOf('session_deleted', FACTS) });
    await settle();
    await fixture.goLive();
    expect(isReported(await open(moved, browser))).toBe(true);
  });

  it('a latched stop is passed to a running world when a pasted key makes it this robot', async () => {
    const fixture = await open(null, await pressedBefore());
    expect(isReported(fixture)).toBe(false);
    fixture.engine.connect(KEY);
    expect(isReported(fixture)).toBe(true);
  });

  it('a latched stop does not reach the same robot at another media server, and is not released there', async () => {
    const browser = await pressedBefore();
    const other = await open(ELSEWHERE, browser);
    expect(isReported(other)).toBe(false);
    other.emit({ kind: 'emergency', latched: null });
    other.setConnection({ kind: 'ended', ...endOf('session_deleted', FACTS) });
    expect(isReported(await open(KEY, browser))).toBe(true);
  });

  it('a latched stop does not reach another robot to which the same tab turns', async () => {
    const browser = await pressedBefore();
    const fixture = await open(KEY, browser);
    fixture.engine.connect(keyFor('r2'));
    await settle();
    const since = fixture.log.slice(fixture.log.indexOf('simulation 1 disposed'));
    expect(since).not.toContain(IS_LATCHED);
  });

  it('a latched stop is released only by a person at a page that its media server has accepted', async () => {
    const browser = await pressedBefore();
    const refused = createFixture(KEY, false, true, null, true, null, browser);
    await settle();
    refused.emit({ kind: 'emergency', latched: null });
    refused.setConnection({ kind: 'ended', ...endOf('refused', FACTS) });
    expect(isReported(await open(KEY, browser))).toBe(true);
    const genuine = await open(KEY, browser);
    genuine.emit({ kind: 'emergency', latched: null });
    expect(isReported(await open(KEY, browser))).toBe(false);
  });

  it('a stop that was pressed in another tab applies when this tab becomes the robot', async () => {
    const browser = new Map<string, string>();
    const waiting = createFixture(KEY, true, true, null, true, null, browser);
    await settle();
    const first = await open(KEY, browser);
    first.emit({ kind: 'emergency', latched: STOP });
    waiting.engine.retry();
    await settle();
    await waiting.goLive();
    expect(isReported(waiting)).toBe(true);
  });

  it('a stop counts as pressed if its record cannot be read', async () => {
    const browser = await pressedBefore();
    for (const name of browser.keys()) browser.set(name, '{');
    const { log } = await open(KEY, browser);
    expect(log.some((line) => line.startsWith('emergency stop true by'))).toBe(true);
  });

  it('the stop of a local robot does not stop the robot of a room that the tab joins afterwards', async () => {
    const fixture = await open(null, new Map());
    fixture.engine.tryHere();
    fixture.engine.emergencyStop(true);
    const before = fixture.log.length;
    fixture.engine.connect(KEY);
    await settle();
    await fixture.goLive();
    expect(fixture.log.slice(before).filter((line) => line.startsWith('emergency stop true'))).toEqual([]);
    expect([...fixture.browser.keys()].filter((name) => name.includes('r1'))).toEqual([]);
  });

  it('the stop of a robot that another tab took over is not released by the previous tab', async () => {
    const browser = new Map<string, string>();
    const before = await open(KEY, browser);
    before.setConnection({ kind: 'ended', ...endOf('taken_over', FACTS) });
    const next = await open(KEY, browser);
    next.emit({ kind: 'emergency', latched: STOP });
    before.emit({ kind: 'emergency', latched: null });
    expect(isReported(await open(KEY, browser))).toBe(true);
  });

  it('a stop that an older version of the page stored for its tab is found by the robot of that tab, once', async () => {
    const browser = new Map([['simplesim.emergency-stop', 'latched']]);
    const isStopped = ({ log }: { log: string[] }): boolean => log.some((line) => line.startsWith('emergency stop true by'));
    const fixture = await open(KEY, browser);
    expect(isStopped(fixture)).toBe(true);
    expect(browser.has('simplesim.emergency-stop')).toBe(false);
    expect(isStopped(await open(KEY, browser))).toBe(true);
    fixture.emit({ kind: 'emergency', latched: null });
    expect(isStopped(await open(KEY, browser))).toBe(false);
  });

  it('a stop that the browser does not store is reported on the page until it is released', async () => {
    const full = createFixture(null, false, true, null, true, null, new FullStorage());
    full.engine.tryHere();
    full.engine.emergencyStop(true);
    expect(full.state().stopIsKept).toBe(false);
    full.emit({ kind: 'emergency', latched: null });
    expect(full.state().stopIsKept).toBe(true);
  });

  it('the stop of a local robot belongs to this tab', async () => {
    const browser = new Map<string, string>();
    const here = await open(null, browser);
    here.engine.tryHere();
    here.engine.emergencyStop(true);
    const again = await open(null, browser);
    again.engine.tryHere();
    expect(again.log).toContain("emergency stop true by the robot's page");
  });
});
