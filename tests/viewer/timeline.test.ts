/** Commands of a person at a stick are one entry of the list; every other command is an entry of its own. */

import { describe, expect, it } from 'vitest';
import { unsignedCaller } from '../../src/protocol/wire/caller.ts';
import { driveActionId } from '../../src/viewer/engine/drive-actions.ts';
import { withAction, withRecalled } from '../../src/viewer/engine/timeline.ts';
import type { ActionView } from '../../src/viewer/engine/types.ts';
import { actionTitle } from '../../src/viewer/ui/common/texts.ts';
import { actionView } from '../ui/examples.ts';

const command = (number: number, change: Partial<ActionView> = {}): ActionView =>
  actionView({
    actionId: driveActionId('a1', number),
    name: 'set_velocity',
    caller: { kind: 'page', hand: { stroke: { id: 'a1', number } } },
    startedAtMs: 1_000 + number,
    ...change,
  });

describe('a stroke', () => {
  it('a stroke is one entry from its first to its latest command, and late updates of superseded commands are ignored', () => {
    const reported = [
      command(1, { status: 'running' }),
      command(2, { status: 'running' }),
      command(1, { status: 'cancelled' }),
      actionView({ actionId: 'other' }),
      command(3, { status: 'done' }),
      command(2, { status: 'cancelled' }),
    ];
    const list = reported.reduce<ActionView[]>(withAction, []);
    expect(list.map(({ actionId, status }) => [actionId, status])).toEqual([
      ['other', 'done'],
      [driveActionId('a1', 3), 'done'],
    ]);
    expect(list[1]).toMatchObject({ startedAtMs: 1_001, stroke: { id: 'a1', commands: 3 } });
    expect(list[1] && actionTitle(list[1])).toBe('Drive by hand, 3 commands');
  });

  it('strokes exist for the page alone: a client that uses such ids gets an entry for each command', () => {
    const list = [1, 2]
      .map((number) => command(number, { caller: unsignedCaller('client') }))
      .reduce<ActionView[]>(withAction, []);
    expect(list).toHaveLength(2);
  });

  it('a stroke is restored as one entry after a reload', () => {
    const stored = [1, 2, 3].map((number) => {
      const { actionId, kind, name, input, caller, result } = command(number);
      if (!result) throw new Error('an ended action has a result');
      return { actionId, kind, name, input, caller, parametersKey: '', status: 'done' as const, result };
    });
    expect(withRecalled([], stored)).toMatchObject([{ stroke: { commands: 3 } }]);
  });
});
