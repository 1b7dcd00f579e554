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

describe('the runtime that a visitor looks at', () => {
  it.each([`simplesim:${ID}`, `rcw-${ID}`, `simplesim-${ID}`])(
    'is the participant whose identity %s names the robot of the room',
    (identity) => {
      expect(chosen([person('ann'), person(identity)])).toBe(identity);
    },
  );

  it.each(['simplesim', 'simplesim-left', 'simplesim-anything', `simplesim-${ID}0`, 'simplesim:another', 'rcw', 'rcw-left'])(
    'is not the program %s, whose name only begins like a runtime\u2019s',
    (identity) => {
      expect(chosen([person(identity)])).toBeNull();
      expect(chosen([person(identity, 1), person(`simplesim:${ID}`, 2)])).toBe(`simplesim:${ID}`);
    },
  );

  it('is an agent of another make that was sent for, under any name of a worker', () => {
    expect(chosen([person('rcw-h1-0042', 1, true)])).toBe('rcw-h1-0042');
    expect(chosen([person('agent-transcriber', 1, true)])).toBeNull();
  });

  it('is nobody\u2019s while the room has not named its robot', () => {
    expect(chosen([person(`simplesim:${ID}`)], null, null)).toBeNull();
  });

  it('stays the one before while that is there', () => {
    const [tab, worker] = [person(`simplesim:${ID}`, 1), person(`rcw-${ID}`, 2)];
    expect(chosen([tab, worker])).toBe(tab.identity);
    expect(chosen([tab, worker], worker)).toBe(worker.identity);
  });
});
