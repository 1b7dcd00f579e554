/** Messages for a world are held back while the page asks the browser for another world. */
import { describe, expect, it } from 'vitest';
import { PAGE } from '../../src/protocol/wire/caller.ts';
import type { HostMessage } from '../../src/runtime/host/simulation-host.ts';
import { createHeldBack } from '../../src/viewer/engine/kept/held-back.ts';

const call = (callId: number, name: string): HostMessage => ({
  kind: 'call',
  callId,
  requestId: `${callId}`,
  method: 'runtime.tools_call',
  payload: JSON.stringify({ name, input: {} }),
  callerIdentity: null,
});
const WALK = call(1, 'go_to');
const STOP_CALL = call(2, 'stop');
const STOP_BUTTON: HostMessage = { kind: 'cancel-active', by: PAGE };
const latch = (latched: boolean): HostMessage => ({ kind: 'emergency-stop', latched, by: PAGE });

function gate() {
  const delivered: HostMessage[] = [];
  return { delivered, held: createHeldBack((message) => void delivered.push(message)) };
}

describe('while the browser is asked for its kept world', () => {
  it('calls wait in order while the browser is asked for its kept world', () => {
    const { delivered, held } = gate();
    held.take(WALK);
    held.hold();
    const [second, third] = [call(3, 'go_to'), call(4, 'set_head')];
    for (const message of [second, third]) held.take(message);
    expect(delivered).toEqual([WALK]);
    held.letGo();
    expect(delivered).toEqual([WALK, second, third]);
    held.take(WALK);
    expect(delivered).toHaveLength(4);
  });

  it.each([
    ['the stop button', STOP_BUTTON],
    ['a stop that is called', STOP_CALL],
    ['the emergency stop', latch(true)],
  ])('%s does not wait, and no earlier command continues after it', (_what, stop) => {
    const { delivered, held } = gate();
    held.hold();
    held.take(WALK);
    held.take(stop);
    expect(delivered).toEqual([stop]);
    held.letGo();
    expect(delivered).toEqual([stop, WALK, stop]);
  });

  it('an emergency stop that is released and pressed again is pressed', () => {
    const { delivered, held } = gate();
    held.hold();
    held.take(latch(false));
    held.take(latch(true));
    held.letGo();
    expect(delivered).toEqual([latch(true), latch(false), latch(true)]);
  });
});
