import { randomUUID } from 'node:crypto';
import rapier from '@dimforge/rapier3d-compat';
import { Room } from '@livekit/rtc-node';
import { leaveRoom } from '../../../src/client/internal/transport/node-transport.ts';
import { METHOD_NAMES } from '../../../src/protocol/wire/methods.ts';
import { createSimulationHost } from '../../../src/runtime/host/simulation-host.ts';
import { createRuntime } from '../../../src/runtime/runtime.ts';

/** The simulator’s robot in a room, as in a tab, but in this process and without cameras. */
export interface SimulatedRobot {
  leave(): Promise<void>;
}

/** Far less than a pause that counts as a freeze of the tab. */
const LOOK_MAX_MS = 100;

/** A clock that advances by at most this much between two reads: on a busy machine the robot is slower, and never frozen. */
function createPatientClock(): () => number {
  let shownMs = 0;
  let lookedAtMs = performance.now();
  return () => {
    const nowMs = performance.now();
    shownMs += Math.min(LOOK_MAX_MS, nowMs - lookedAtMs);
    lookedAtMs = nowMs;
    return shownMs;
  };
}

/**
 * Joins a room as a simulator whose time runs faster than the clock, so that a test waits less.
 * @param place of the room, with a token for the simulator's identity
 * @param speed simulated seconds per second
 */
export async function joinSimulatedRobot(place: { url: string; token: string }, speed: number): Promise<SimulatedRobot> {
  await rapier.init();
  const monotonicMs = createPatientClock();
  const startedAtMs = Date.now();
  const waiting = new Map<number, (text: string) => void>();
  let calls = 0;
  const runtime = createRuntime({
    rapier,
    seed: 1,
    productVersion: '0.0.0-test',
    newActionId: () => randomUUID(),
    cameras: { kind: 'none' },
    startCapture: () => undefined,
    onAction: () => undefined,
    onFault({ thrown }) {
      throw thrown;
    },
  });
  const host = createSimulationHost({
    runtime,
    post(message) {
      if (message.kind !== 'reply') return;
      waiting.get(message.callId)?.(message.text);
      waiting.delete(message.callId);
    },
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    monotonicMs,
    wallMs: () => startedAtMs + monotonicMs(),
    hidden: false,
    headless: true,
  });
  const ask = (method: string, payload: string, callerIdentity: string | null, requestId: string): Promise<string> => {
    calls += 1;
    const callId = calls;
    return new Promise((resolve) => {
      waiting.set(callId, resolve);
      host.receive({ kind: 'call', callId, requestId, method, payload, callerIdentity });
    });
  };
  const running = host.run();
  await ask('runtime.tools_call', JSON.stringify({ name: 'set_sim_speed', input: { speed } }), null, 'speed');
  const room = new Room();
  await room.connect(place.url, place.token, { autoSubscribe: false, dynacast: false });
  for (const method of METHOD_NAMES)
    room.localParticipant?.registerRpcMethod(method, ({ requestId, callerIdentity, payload }) =>
      ask(method, payload, callerIdentity, requestId),
    );
  return {
    async leave() {
      host.stop();
      await running;
      runtime.dispose();
      await leaveRoom(room);
    },
  };
}
