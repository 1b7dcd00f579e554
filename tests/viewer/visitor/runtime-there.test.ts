import { describe, expect, it } from 'vitest';
import type { RoomParticipant } from '../../../src/room/connection-state.ts';
import { runtimeAmong } from '../../../src/viewer/engine/visitor/runtime-there.ts';

const ID = '0b6f3d5e-2c4a-4e57-9a9e-1f3d5b7a9c2e';
const person = (identity: string, joinedAtMs = 1, isAgent = false): RoomParticipant => ({
  identity,
  name: identity,
  joinedAtMs,
  isSelf: false,
  isAgent,
});
const chosen = (people: RoomParticipant[], before: RoomParticipant | null = null, robotId: string | null = ID) =>
  runtimeAmong(people, before, robotId)?.identity ?? null;

describe('the runtime of a visitor', () => {
  it.each([`simplesim:${ID}`, `rcw-${ID}`, `simplesim-${ID}`])(
    'the visitor’s runtime is the participant whose identity %s names the robot of the room',
    (identity) => {
      expect(chosen([person('ann'), person(identity)])).toBe(identity);
    },
  );

  it.each(['simplesim', 'simplesim-left', 'simplesim-anything', `simplesim-${ID}0`, 'simplesim:another', 'rcw', 'rcw-left'])(
    'the visitor’s runtime is not the program %s, whose name only begins like that of a runtime',
    (identity) => {
      expect(chosen([person(identity)])).toBeNull();
      expect(chosen([person(identity, 1), person(`simplesim:${ID}`, 2)])).toBe(`simplesim:${ID}`);
    },
  );

  it('the visitor’s runtime may be a dispatched agent of another make, under any name of a worker', () => {
    expect(chosen([person('rcw-h1-0042', 1, true)])).toBe('rcw-h1-0042');
    expect(chosen([person('agent-transcriber', 1, true)])).toBeNull();
  });

  it('the visitor has no runtime while the room has not named its robot', () => {
    expect(chosen([person(`simplesim:${ID}`)], null, null)).toBeNull();
  });

  it('the visitor’s runtime stays the same while it is in the room', () => {
    const [tab, worker] = [person(`simplesim:${ID}`, 1), person(`rcw-${ID}`, 2)];
    expect(chosen([tab, worker])).toBe(tab.identity);
    expect(chosen([tab, worker], worker)).toBe(worker.identity);
  });
});
