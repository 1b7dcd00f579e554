import { describe, expect, it } from 'vitest';
import { loggedEngine, withDebugLog } from '../../src/viewer/engine/debug-log.ts';
import { createEngine } from '../../src/viewer/engine/engine.ts';
import { asksForLog } from '../../src/viewer/engine/page-address.ts';
import { createFixture, KEY, settle } from './engine-fixture.ts';
import { FRAME, LAYOUT } from './fake-runtime.ts';

async function loggedLife() {
  const fixture = createFixture();
  const lines: { what: string; facts: Readonly<Record<string, unknown>> }[] = [];
  const log = (what: string, facts: Readonly<Record<string, unknown>> = {}) => void lines.push({ what, facts });
  const engine = loggedEngine(createEngine(withDebugLog({ ...fixture.deps, takenKey: KEY }, log)), log);
  fixture.emit({ kind: 'layout', layout: LAYOUT });
  fixture.emit({ kind: 'frame', renderState: FRAME });
  fixture.emit({ kind: 'ready' });
  await settle();
  fixture.setConnection({ kind: 'connected' });
  fixture.emit({ kind: 'suspended', gapMs: 1_200 });
  await fixture.call('runtime.state');
  await engine.call('runtime.capabilities', {});
  await settle();
  fixture.failWarmUp();
  await settle();
  return { lines, engine };
}

describe('the debug log', () => {
  it.each([
    ['http://h/?log=1', true],
    ['http://h/?log', true],
    ['http://h/?log=0', false],
    ['http://h/', false],
  ])('the address %s asks for the debug log: %s', (href, asked) => expect(asksForLog(href)).toBe(asked));

  it('the debug log records phases, the room, calls of room and page, and errors that the page survives silently', async () => {
    const { lines } = await loggedLife();
    const reported = lines.map(({ what }) => what);
    expect(reported).toEqual(expect.arrayContaining(['page: loading', 'simulation: ready', 'room: load', 'room: connected']));
    expect(lines).toContainEqual({ what: 'simulation: suspended', facts: { gapMs: 1_200 } });
    expect(lines).toContainEqual({
      what: 'call: runtime.state',
      facts: expect.objectContaining({ by: 'client', ms: expect.any(Number) }),
    });
    expect(lines).toContainEqual({ what: 'call: runtime.capabilities', facts: expect.objectContaining({ by: 'the page' }) });
    expect(lines).toContainEqual({
      what: 'cameras: warm up: failed',
      facts: { error: 'Error: no WebGL', ms: expect.any(Number) },
    });
  });

  it('the debug log contains no key, no token and no input of a call', async () => {
    const { lines, engine } = await loggedLife();
    await engine.call('runtime.tools_call', { name: 'set_head', input: { yaw: 0.123456 } });
    const text = JSON.stringify(lines);
    const held = engine.heldKey();
    expect(held).not.toBeNull();
    for (const secret of [KEY, held?.text, held?.key.token, '0.123456']) expect(text).not.toContain(secret);
  });
});
