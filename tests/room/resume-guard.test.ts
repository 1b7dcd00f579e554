import { ParticipantInfo_State } from '@livekit/protocol';
import { describe, expect, it, vi } from 'vitest';
import type { PersonInRoom } from '../../src/protocol/room/sfu-session.ts';
import { guardResume } from '../../src/room/resume-guard.ts';

const { ACTIVE, DISCONNECTED } = ParticipantInfo_State;
const PLACE = { url: 'ws://sfu', token: 'token', sid: 'PA_own' };
const robot = (sid: string, state = ACTIVE): PersonInRoom => ({ identity: 'robot', sid, state });
const client: PersonInRoom = { identity: 'client', sid: 'PA_client', state: ACTIVE };

/** An engine whose server answers a resume with `answer`, and sends the list of participants once for each of `tells`. */
function guarded(answer: () => Promise<string>, ...lists: PersonInRoom[][]) {
  const listeners = new Set<(people: PersonInRoom[]) => void>();
  const timers = new Set<() => void>();
  const onTakenOver = vi.fn();
  const engine = {
    client: {
      reconnect: async (_url: string, _token: string, _sid?: string) => {
        const answered = await answer();
        queueMicrotask(() => {
          for (const people of lists) for (const listener of listeners) listener(people);
        });
        return answered;
      },
      close: vi.fn(async () => {}),
    },
    on: (_event: string, listener: (people: PersonInRoom[]) => void) => listeners.add(listener),
    off: (_event: string, listener: (people: PersonInRoom[]) => void) => listeners.delete(listener),
  };
  const clock = {
    after(_ms: number, act: () => void) {
      timers.add(act);
      return () => timers.delete(act);
    },
  };
  const guard = guardResume(engine, 'robot', clock, onTakenOver);
  return { guard, engine, listeners, timers, onTakenOver };
}

type Engine = ReturnType<typeof guarded>['engine'];
const resume = ({ client: { reconnect } }: Engine): Promise<string> => reconnect(PLACE.url, PLACE.token, PLACE.sid);
const resumed = async (): Promise<string> => 'resumed';
const never = (): Promise<string> => new Promise(() => {});
const refused = (): Promise<string> => Promise.reject(new Error('leave'));

describe('a resume', () => {
  it.each([
    ['alone', [[robot('PA_own')]]],
    ['when others are announced first', [[client], [client, robot('PA_own')]]],
    ['when an earlier, disconnected session is announced as gone', [[robot('PA_old', DISCONNECTED), robot('PA_own')]]],
  ])('a resume goes through into the tab’s own session, %s', async (_when, lists) => {
    const { engine, onTakenOver, listeners, timers } = guarded(resumed, ...lists);
    expect(await resume(engine)).toBe('resumed');
    expect(onTakenOver).not.toHaveBeenCalled();
    expect([listeners.size, timers.size]).toEqual([0, 0]);
  });

  it.each([
    ['alone', [[robot('PA_other')]]],
    ['when the own session is announced as gone', [[robot('PA_own', DISCONNECTED), robot('PA_other')]]],
    ['when the own session is announced as gone first', [[robot('PA_own', DISCONNECTED)], [robot('PA_other')]]],
  ])(
    'a resume into the session of another tab never ends, sends nothing, and reports the take-over, %s',
    async (_when, lists) => {
      const { engine, onTakenOver, listeners, timers } = guarded(resumed, ...lists);
      const onAnswer = vi.fn();
      void resume(engine).then(onAnswer, onAnswer);
      await vi.waitFor(() => expect(onTakenOver).toHaveBeenCalledOnce());
      expect(engine.client.close).toHaveBeenCalledOnce();
      expect(onAnswer).not.toHaveBeenCalled();
      expect([listeners.size, timers.size]).toEqual([0, 0]);
    },
  );

  it('a resume goes through after a while if the server announces no participants', async () => {
    const { engine, timers, onTakenOver } = guarded(resumed);
    const answer = resume(engine);
    await vi.waitFor(() => expect(timers.size).toBe(1));
    for (const act of timers) act();
    expect(await answer).toBe('resumed');
    expect(onTakenOver).not.toHaveBeenCalled();
  });

  it('a resume that fails is reported as usual', async () => {
    const { engine, listeners, onTakenOver } = guarded(refused);
    await expect(resume(engine)).rejects.toThrow('leave');
    expect(onTakenOver).not.toHaveBeenCalled();
    expect(listeners.size).toBe(0);
  });
});

describe('the check for a take-over', () => {
  it.each([
    ['another is there', resumed, [[robot('PA_other')]], true],
    ['the own session is there', resumed, [[robot('PA_own')]], false],
    ['no participant is there', refused, [], false],
  ] as const)('the guard answers whether another tab took over when %s', async (_when, answer, lists, expected) => {
    const { guard, engine, onTakenOver, timers } = guarded(answer, ...lists.map((people) => [...people]));
    expect(await guard.isTakenOver(PLACE)).toBe(expected);
    expect(engine.client.close).toHaveBeenCalledOnce();
    expect(onTakenOver).not.toHaveBeenCalled();
    expect(timers.size).toBe(0);
  });

  it('the guard counts connected participants only if the other may be its own join whose answer was lost', async () => {
    const ghost = guarded(resumed, [robot('PA_other', ParticipantInfo_State.JOINED)]);
    expect(await ghost.guard.isTakenOver(PLACE, 'connected')).toBe(false);
    const other = guarded(resumed, [robot('PA_other')]);
    expect(await other.guard.isTakenOver(PLACE, 'connected')).toBe(true);
  });

  it('the guard answers no if no answer arrives', async () => {
    const { guard, engine, timers } = guarded(never);
    const asked = guard.isTakenOver(PLACE);
    for (const act of timers) act();
    expect(await asked).toBe(false);
    expect(engine.client.close).toHaveBeenCalledOnce();
  });
});
