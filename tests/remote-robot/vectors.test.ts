/**
 * The rules for commands, as data that every implementation reads: what follows a refusal, which commands undo which, which presses
 * count. The Python library's tests read the same files.
 */
import { describe, expect, test } from 'vitest';
import { type CommandKind, callKind, overtakes } from '../../src/protocol/wire/command-kinds.ts';
import { type AfterLoss, judgeLoss, type Known } from '../../src/remote-robot/judge-loss.ts';
import { acceptsNoEnvelopes, judgeRefusal } from '../../src/remote-robot/judge-refusal.ts';
import { outcomeOfAnswer, type PressOutcome, pressEverywhere } from '../../src/remote-robot/press.ts';
import commands from './vectors/commands.json' with { type: 'json' };
import losses from './vectors/losses.json' with { type: 'json' };
import presses from './vectors/presses.json' with { type: 'json' };
import refusals from './vectors/refusals.json' with { type: 'json' };

const TIMES = [1, 2, 3, 4];

describe('what follows the refusal of a sealed command', () => {
  test.each(refusals.refusals)('$code: $what', ({ code, details, command, stop, runtimeNowMs, needsGrant }) => {
    const verdicts = (kind: CommandKind) => TIMES.map((count) => judgeRefusal({ code, details }, { refusals: count, kind }));
    for (const kind of ['drive', 'pose', 'other'] as const) expect(verdicts(kind).map(({ retry }) => retry)).toEqual(command);
    expect(verdicts('stop').map(({ retry }) => retry)).toEqual(stop);
    for (const verdict of [...verdicts('stop'), ...verdicts('drive')])
      expect(verdict).toMatchObject({ runtimeNowMs, needsGrant });
  });

  test.each(refusals.unsigned)('$what: accepts no envelopes is $acceptsNone', ({ plain, sealed, acceptsNone }) => {
    const unsigned = { code: 'PERMISSION_DENIED', message: '', details: plain };
    expect(acceptsNoEnvelopes(unsigned, { code: sealed, message: '', details: {} })).toBe(acceptsNone);
  });
});

test.each(losses.losses)('after a loss: $what: $next', ({ known, isOvertaken, isHeldStop, next }) => {
  expect(judgeLoss(known as Known | null, { isOvertaken, isHeldStop })).toBe(next satisfies string as AfterLoss);
});

describe('the kinds of commands', () => {
  test.each(commands.kinds)('$what is of kind $kind', ({ method, payload, kind }) => {
    expect(callKind(method, payload)).toBe(kind);
  });

  test('a later command undoes exactly the listed kinds', () => {
    const kinds = Object.keys(commands.undoes) as CommandKind[];
    for (const later of kinds)
      expect(kinds.filter((earlier) => overtakes(later, earlier)).sort()).toEqual([...commands.undoes[later]].sort());
  });
});

describe('presses of the emergency stop', () => {
  const outcomeOf = (text: string): PressOutcome => {
    const [status, final] = text.split(', ') as [PressOutcome['status'], string?];
    return { status, problem: null, isFinal: status === 'stands' || final === 'final' };
  };
  const ROUND_MS = 100;

  test.each(presses.presses)('$what', async ({ paths, by, presses: expected, ...more }) => {
    const counts: Record<string, number> = {};
    let rounds = 0;
    const pathOf = ([name, outcomes]: [string, string[]]) => [
      name,
      async () => {
        counts[name] = (counts[name] ?? 0) + 1;
        return outcomeOf(outcomes[Math.min(counts[name], outcomes.length) - 1] ?? '');
      },
    ];
    /** Paths that wait for the end of the round. */
    let waiting: (() => void)[] = [];
    const pressed = await pressEverywhere<string>(Object.fromEntries(Object.entries(paths).map(pathOf as never)), {
      untilMs: 5 * ROUND_MS,
      pauseMs: ROUND_MS,
      monotonicMs: () => rounds * ROUND_MS,
      sleep: () =>
        new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length > 1) return;
          setImmediate(() => {
            rounds += 1;
            for (const go of waiting) go();
            waiting = [];
          });
        }),
    });
    expect(pressed.by).toBe(by);
    expect(counts).toEqual(expected);
    if ('ends' in more && more.ends) {
      for (const [name, status] of Object.entries(more.ends)) expect(pressed.outcomes[name]?.status).toBe(status);
    }
  });

  test.each(presses.answers)('a reply is read: $what', ({ reply, outcome, isFinal }) => {
    expect(outcomeOfAnswer(reply)).toMatchObject({ status: outcome, isFinal });
  });
});
