import { describe, expect, test } from 'vitest';
import { invalidInput, unknownEntity } from '../../../src/protocol/texts/error-texts.ts';
import { itemsOf, noItems } from '../../../src/viewer/engine/browser-storage.ts';
import { placeCameras } from '../../../src/viewer/ui/common/place-cameras.ts';
import { found, PICTURE_ID, standingCallables } from '../../../src/viewer/ui/console/callables.ts';
import { type ConsoleStore, createConsoleStore, patchSheet } from '../../../src/viewer/ui/console/console-store.ts';
import { INTERRUPTED, loadHistory, saveHistory } from '../../../src/viewer/ui/console/history.ts';
import { outcomeOf, refusedField, shownOutcome } from '../../../src/viewer/ui/console/outcome.ts';
import type { Run } from '../../../src/viewer/ui/console/run.ts';
import { runCall } from '../../../src/viewer/ui/console/run-call.ts';
import { callOfAction, formShowsLess, openCallable, requestOf, switchMode } from '../../../src/viewer/ui/console/sheet.ts';
import { SAMPLE_LAYOUT, sampleState } from '../../stage/helpers/sample-world.ts';
import { actionView, stillEngine } from '../examples.ts';
import { callableOf, SKILL_CALLABLES } from './skill-inputs.ts';

const STANDING = standingCallables(placeCameras(SAMPLE_LAYOUT));

const goTo = callableOf('go_to');

function opened(id: string, start?: Parameters<typeof openCallable>[2]): ConsoleStore {
  const store = createConsoleStore(noItems);
  store.setState({ callables: [...SKILL_CALLABLES, ...STANDING], listed: true });
  openCallable(store, id, start);
  return store;
}
function sheetOf(store: ConsoleStore, id = 'go_to') {
  const sheet = store.getState().sheets[id];
  if (!sheet) throw new Error('no sheet');
  return sheet;
}

describe('form and JSON', () => {
  const target = { kind: 'entity', entity_id: 'pad_B' };

  test('the form becomes JSON, and JSON becomes the form', () => {
    const store = opened('go_to', { input: { target } });
    switchMode(store, goTo, sheetOf(store), 'json');
    expect(JSON.parse(sheetOf(store).json)).toEqual({ target });
    patchSheet(store, 'go_to', { json: '{"target":{"kind":"entity","entity_id":"pad_C"}}', source: 'json' });
    switchMode(store, goTo, sheetOf(store), 'form');
    expect(requestOf(goTo, sheetOf(store)).input).toEqual({ target: { kind: 'entity', entity_id: 'pad_C' } });
  });

  test('typed JSON is kept character by character', () => {
    const store = opened('go_to');
    switchMode(store, goTo, sheetOf(store), 'json');
    const typed = '{"target":   {"kind":"entity",';
    patchSheet(store, 'go_to', { json: typed, source: 'json' });
    expect(requestOf(goTo, sheetOf(store)).jsonProblem).toMatch(/^This is not JSON yet/);
    switchMode(store, goTo, sheetOf(store), 'form');
    expect(formShowsLess(goTo, sheetOf(store))).toBe(true);
    switchMode(store, goTo, sheetOf(store), 'json');
    expect(sheetOf(store).json).toBe(typed);
  });

  test('a call that the form cannot show is opened as JSON', () => {
    const store = opened('go_to', { input: { target, hurry: true } });
    expect(sheetOf(store).mode).toBe('json');
    expect(requestOf(goTo, sheetOf(store))).toMatchObject({
      input: { target, hurry: true },
      inputProblems: [{ path: ['hurry'] }],
    });
  });

  test('options of the call are checked as well', () => {
    const store = opened('go_to', { input: { target }, options: { deadline_s: 0 } });
    expect(requestOf(goTo, sheetOf(store)).optionsProblems).toMatchObject([{ path: ['deadline_s'] }]);
  });
});

describe('a rejection of the runtime', () => {
  test('a rejection of the runtime is shown at the field that it names', () => {
    const error = invalidInput('"input.target.pose.position[2]" must be a number; it is "up".', {
      path: 'input.target.pose.position[2]',
    });
    expect(refusedField(error)).toEqual({
      part: 'input',
      path: ['target', 'pose', 'position', 2],
      text: 'The robot requires a number; it is "up".',
      missing: false,
    });
    expect(refusedField(invalidInput('"options.action_id" must not be it.', { path: 'options.action_id' }))).toMatchObject({
      part: 'options',
    });
  });

  test('a rejected entity id is shown at the field that contains it', async () => {
    const store = opened('pick_entity');
    const engine = { ...stillEngine({}), call: async () => ({ status: 'failed', error: unknownEntity('cube_99', ['cube_0']) }) };
    const run = await runCall(engine, store, callableOf('pick_entity'), { target: { kind: 'entity', entity_id: 'cube_99' } });
    expect(outcomeOf(run)).toMatchObject({ kind: 'refused', error: { code: 'UNKNOWN_ENTITY' } });
    expect(sheetOf(store, 'pick_entity').refused).toMatchObject({ part: 'input', path: ['target', 'entity_id'] });
  });
});

describe('a call', () => {
  test('a call has an id of its own, with which it can be cancelled, and the given options', async () => {
    const asked: unknown[] = [];
    const engine = { ...stillEngine({}), call: async (_method: string, payload: unknown) => void asked.push(payload) };
    const run = await runCall(engine, opened('reset'), callableOf('reset'), { seed: 2 }, { deadline_s: 5 });
    expect(asked).toEqual([{ name: 'reset', input: { seed: 2 }, options: { action_id: run.runId, deadline_s: 5 } }]);
  });

  test('a call without an answer reports this', async () => {
    const run = await runCall(stillEngine({}), opened('reset'), callableOf('reset'), {});
    expect(outcomeOf(run)).toMatchObject({ kind: 'lost' });
    expect(shownOutcome(outcomeOf(run))).toBe('failed');
  });

  test('a cancelled call does not count as a failure', () => {
    const { meta } = actionView({}).result ?? {};
    const error = {
      code: 'CANCELLED',
      message: 'It was cancelled.',
      details: { stage: 'control', attempted: true, world_changed: 'yes', retryable: true },
    };
    expect(shownOutcome(outcomeOf({ ...aRun(), reply: { status: 'failed', error, meta } }))).toBe('cancelled');
  });
});

describe('the history', () => {
  test('the history outlives a reload, and a call that the reload interrupted reports its outcome', () => {
    const storage = fakeStorage();
    saveHistory(storage, [{ ...aRun(), finishedAtMs: null }, aRun()]);
    expect(loadHistory(storage)).toMatchObject([{ problem: INTERRUPTED }, { problem: null, reply: { entities: {} } }]);
  });

  test('the history works without storage, and ignores invalid data in it', () => {
    expect(loadHistory(noItems)).toEqual([]);
    expect(loadHistory({ ...noItems, get: () => '[{"runId": 3}, 7]' })).toEqual([]);
    expect(loadHistory({ ...noItems, get: () => '{' })).toEqual([]);
  });

  test('the history keeps its calls when their replies are too large', () => {
    const storage = fakeStorage();
    saveHistory(
      storage,
      Array.from({ length: 30 }, () => ({ ...aRun(), reply: 'x'.repeat(15_000) })),
    );
    const kept = loadHistory(storage);
    expect(kept).toHaveLength(30);
    expect(outcomeOf(kept[29] ?? aRun())).toEqual({ kind: 'forgotten' });
  });
});

test('a picture of the list of actions opens in the console with its camera and size', () => {
  const input = { selector: { kind: 'id', id: 'topdown' }, options: { width: 640, height: 360, format: 'jpeg', quality: 0.7 } };
  expect(callOfAction({ kind: 'capture', name: 'cameras_capture', input })).toEqual({
    id: PICTURE_ID,
    input: { camera: 'topdown', width_px: 640, height_px: 360 },
  });
});

test('an unknown camera is rejected, and not replaced by another one', async () => {
  const asked: string[] = [];
  const engine = {
    ...stillEngine({}),
    frames: { ...stillEngine({}).frames, latest: () => sampleState() },
    capture: (camera: string) => {
      asked.push(camera);
      return Promise.reject(new Error('No picture here.'));
    },
  };
  const picture = STANDING.find(({ id }) => id === PICTURE_ID);
  if (!picture) throw new Error('no picture');
  const takes = (input: unknown) => runCall(engine, opened(PICTURE_ID), picture, input);
  expect((await takes({ camera: 'door' })).problem).toBe('There is no camera "door"; there are pov, topdown.');
  expect(asked).toEqual([]);
  await takes({ camera: 'topdown' });
  await takes({});
  expect(asked).toEqual(['topdown', 'pov']);
});

test('a search matches name, title and description, and lists matches of names first', () => {
  const ids = (search: string) => found([...SKILL_CALLABLES, ...STANDING], search).map(({ id }) => id);
  expect(ids('pick')[0]).toBe('pick_entity');
  expect(ids('go to')).toContain('go_to');
  expect(ids('speed of TIME')[0]).toBe('set_sim_speed');
  expect(ids('nothing like it')).toEqual([]);
});

function aRun(): Run {
  return {
    runId: 'page-1',
    callableId: 'runtime.scene_state',
    input: {},
    options: {},
    startedAtMs: 1,
    finishedAtMs: 2,
    reply: { entities: {} },
    problem: null,
    picture: null,
  };
}

function fakeStorage() {
  let kept: string | null = null;
  return itemsOf(() => ({
    getItem: () => kept,
    setItem(_name, text) {
      kept = text;
    },
    removeItem: () => undefined,
  }));
}
