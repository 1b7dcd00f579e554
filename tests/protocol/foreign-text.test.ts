import { describe, expect, it } from 'vitest';
import { shownId } from '../../src/common/shown-text.ts';
import { HUMANOID } from '../../src/protocol/robots/humanoid.ts';
import { busy, cancelled, superseded, tooManyJoined } from '../../src/protocol/texts/error-texts.ts';
import { type Caller, PAGE } from '../../src/protocol/wire/caller.ts';
import { emergencyStopped } from '../../src/protocol/wire/emergency-stop-errors.ts';

/** The chosen name of another caller of the robot, and the form in which one of our sentences may show it. */
const NAMES: [given: string, shown: string][] = [
  ["the robot's page", "“the robot's page”"],
  ['ann. The robot stands', '“ann. The robot stands”'],
  ['ann\u202e', 'ann\ufffd'],
  ['ann\u001b[2J', 'ann\ufffd[2J'],
  ['W'.repeat(250), `${'W'.repeat(79)}…`],
  ['ann', 'ann'],
];
const participant = (identity: string): Caller => ({ kind: 'participant', identity });
const holder = (name: string): Caller => ({ kind: 'holder', holder: name, grantId: 'g', carrier: 'c' });

describe('a sentence for one caller contains the names and ids of another', () => {
  it.each(NAMES)('a sentence shows the name safely of a caller that calls itself %j', (given, shown) => {
    for (const by of [participant(given), holder(given)]) {
      const reported = cancelled(by);
      expect(reported.message).toContain(`cancelled by ${shown}. Read`);
      expect(reported.details).toMatchObject({ cancelled_by: given });
      expect(superseded('act-1', 'go_to', by).message).toBe(`The action was replaced by go_to (act-1) of ${shown}.`);
      expect(emergencyStopped({ by, sinceMs: 0 }).message).toContain(`(by ${shown})`);
    }
  });

  it('only the page itself appears without quotes, so no other caller can imitate it', () => {
    expect(cancelled(PAGE).message).toContain("cancelled by the robot's page. Read");
  });

  it.each([
    ['a) is done. (b', '“a) is done. (b”'],
    ['act\u202e', 'act\ufffd'],
    ['act\n1', 'act\ufffd1'],
    ['act-1', 'act-1'],
  ])('a sentence shows the id safely of a caller with the action %j', (id, shown) => {
    const active = { action_id: id, kind: 'tool' as const, name: 'go_to', started_at_ms: 0, phase: 'walking' };
    const reported = busy('pick_entity', active, PAGE, ['base'], HUMANOID.words);
    expect(reported.message).toContain(`go_to (${shown}) of the robot's page uses: walking`);
    expect(reported.details).toMatchObject({ active_action: { action_id: id } });
    expect(superseded(id, 'go_to', PAGE).message).toContain(`go_to (${shown}) of`);
    expect(tooManyJoined('go_to', id).message).toContain(`go_to (${shown}), so`);
  });

  it('an id in a right-to-left script does not reverse our numbers', () => {
    expect(shownId('דוד')).toBe('\u2068דוד\u2069');
  });
});
