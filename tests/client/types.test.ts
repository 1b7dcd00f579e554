import { describe, expectTypeOf, it } from 'vitest';
import {
  type ActionResult,
  Client,
  connect,
  type LibrarySession,
  type PlaceOptions,
  type PlatformSession,
  type ResultOf,
  type RuntimeState,
  type SceneLayout,
  type SceneState,
} from '../../src/client/index.ts';

// Compiled with the tests (`tsc -b`), never run: only the types are under test.
const typedRcw = (_check: (session: PlatformSession<'worker'>) => Promise<void>) => {};
const typed = (_check: (session: PlatformSession) => Promise<void>) => {};

describe('types', () => {
  it('types of skills come from their schemas', () => {
    typed(async (session) => {
      const picked = await session.invoke('pick_entity', { target: { kind: 'entity', entity_id: 'cube_0' } });
      expectTypeOf(picked).toEqualTypeOf<ActionResult<ResultOf<'pick_entity'>>>();
      if (picked.status === 'done') {
        expectTypeOf(picked.result.held).toEqualTypeOf<string>();
        // @ts-expect-error no such field
        picked.result.hold;
        expectTypeOf(picked.error).toEqualTypeOf<undefined>();
      } else {
        expectTypeOf(picked.error.message).toEqualTypeOf<string>();
        expectTypeOf(picked.result).toEqualTypeOf<undefined>();
      }
      expectTypeOf(picked.result?.held).toEqualTypeOf<string | undefined>();
      expectTypeOf(picked.error?.code).toExtend<string | undefined>();
      // Defaults need not be given.
      await session.invoke('set_velocity', {});
      // @ts-expect-error a target is needed
      await session.invoke('go_to', {});
      // @ts-expect-error an entity target names an entity
      await session.invoke('go_to', { target: { kind: 'entity' } });
      // @ts-expect-error vyaw is a parameter of another robot
      await session.invoke('set_velocity', { vyaw: 1 });
    });
  });

  it('types of the methods that are named after skills come from their schemas', () => {
    typed(async (session) => {
      expectTypeOf(await session.goTo('pad_B')).toEqualTypeOf<ActionResult<ResultOf<'go_to'>>>();
      expectTypeOf(await session.place({ on: 'pad_B' })).toEqualTypeOf<ActionResult<ResultOf<'place_entity'>>>();
      await session.drive({ vx: 0.3, duration_s: 2, timeoutMs: 9_000 });
      await session.lookAt({ x: 1, y: 2, z: 0.5 });
      // @ts-expect-error a speed is a number
      await session.drive({ vx: '0.3' });
      // @ts-expect-error vyaw is a parameter of another robot
      await session.drive({ vyaw: 1 });
      // @ts-expect-error a place needs both coordinates
      await session.goTo({ x: 1 });
      // @ts-expect-error a slot is a slot of a pad
      await session.place({ slot: 0 });
      const pad = (): string | undefined => undefined;
      await session.place({ on: pad(), timeoutMs: 9_000 });
      const options: PlaceOptions = { on: 'pad_B', slot: 0 };
      await session.place(options);
      // @ts-expect-error only what is there can be picked
      await session.pick({ x: 1, y: 2 });
    });
  });

  it('types of skills of other robots are open', () => {
    typed(async (session) => {
      const result = await session.invoke('set_upper_body', { r_arm: [0, 0, 0, 0, 0] });
      expectTypeOf(result).toEqualTypeOf<ActionResult<Record<string, unknown>>>();
      await session.invoke('set_velocity' as string, { vyaw: 1 });
    });
  });

  it('types of a worker are its own: no duration that it would ignore, no turn that it does not know', () => {
    typedRcw(async (session) => {
      const driven = await session.invoke('set_velocity', { vx: 0.2, vyaw: 0.1 });
      if (driven.status === 'done') expectTypeOf(driven.result.holds).toEqualTypeOf<boolean>();
      await session.invoke('stop', {});
      await session.invoke('set_upper_body', { r_arm: [0, 0, 0, 0, 0], l_arm: [0, 0, 0, 0, 0] });
      // @ts-expect-error a velocity holds until it is stopped
      await session.invoke('set_velocity', { vx: 0.2, duration_s: 1 });
      // @ts-expect-error wz is a parameter of the simulator
      await session.invoke('set_velocity', { wz: 0.2 });
      // @ts-expect-error both arms are needed
      await session.invoke('set_upper_body', { r_arm: [0, 0, 0, 0, 0] });
    });
    const client = (): Client => new Client();
    const connected = (): Promise<PlatformSession<'worker'>> => connect(client(), 'r1', { rcwIdentityPrefix: 'rcw' });
    const simulated = (): Promise<PlatformSession> => connect(client(), 'r1', { workerNames: [] });
    const bare = (): Promise<PlatformSession> => connect(client(), 'r1');
    expectTypeOf([connected, simulated, bare]).toBeArray();
  });

  it('types of events and commands follow the skill', () => {
    typed(async (session) => {
      const walk = session.start('go_to', { target: { kind: 'entity', entity_id: 'pad_B' } });
      expectTypeOf(await walk.result).toEqualTypeOf<ActionResult<ResultOf<'go_to'>>>();
      for await (const event of walk) {
        if (event.phase === 'running') expectTypeOf(event.activity).toEqualTypeOf<string>();
        if (event.phase === 'accepted') expectTypeOf(event).not.toHaveProperty('result');
        if (event.phase === 'cancelled') expectTypeOf(event.result.result?.path_m).toEqualTypeOf<number | undefined>();
      }
      const client = new Client();
      const turned = await client.robots.sendSessionCommand('r1', 'set_head', { yaw: 0.2 });
      expectTypeOf(turned).toEqualTypeOf<ActionResult<ResultOf<'set_head'>>>();
      // @ts-expect-error pitch is a number
      await client.robots.sendSessionCommand('r1', 'set_head', { pitch: 'down' });
      expectTypeOf(await client.robots.createSession('r1')).toEqualTypeOf<LibrarySession>();
    });
  });

  it('types of states come from their keys', () => {
    typed(async (session) => {
      expectTypeOf(await session.state.get('robot_status')).toEqualTypeOf<RuntimeState>();
      expectTypeOf(await session.state.get('scene_state', { kinds: ['cube'] })).toEqualTypeOf<SceneState>();
      expectTypeOf(await session.scene()).toEqualTypeOf<SceneState>();
      expectTypeOf(await session.layout()).toEqualTypeOf<SceneLayout>();
      expectTypeOf(await session.state.get('anything')).toEqualTypeOf<unknown>();
      // @ts-expect-error a kind the scene does not know
      await session.scene({ kinds: ['dog'] });
    });
  });
});
