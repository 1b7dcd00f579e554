import { type ComponentType, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test, vi } from 'vitest';
import { runtimeError } from '../../src/protocol/wire/error-codes.ts';
import type { EntityState, SceneState } from '../../src/protocol/wire/scene.ts';
import { skillDescriptor } from '../../src/protocol/wire/skill-descriptors.ts';
import { EmbedApp } from '../../src/viewer/embed/EmbedApp.tsx';
import { readEmbedSettings } from '../../src/viewer/embed/settings.ts';
import { noItems } from '../../src/viewer/engine/browser-storage.ts';
import { initialLoading } from '../../src/viewer/engine/store.ts';
import type { ViewerState } from '../../src/viewer/engine/types.ts';
import { ConnectionNotice } from '../../src/viewer/ui/bar/ConnectionNotice.tsx';
import { EndedCard } from '../../src/viewer/ui/bar/EndedCard.tsx';
import { LoadingCard } from '../../src/viewer/ui/bar/LoadingCard.tsx';
import { RunningBar } from '../../src/viewer/ui/bar/RunningBar.tsx';
import { EngineProvider } from '../../src/viewer/ui/common/engine-context.ts';
import { createUiStore, UiProvider } from '../../src/viewer/ui/common/ui-store.ts';
import { CallForm } from '../../src/viewer/ui/console/CallForm.tsx';
import { CallList } from '../../src/viewer/ui/console/CallList.tsx';
import { CodeView } from '../../src/viewer/ui/console/CodeView.tsx';
import { skillCallable } from '../../src/viewer/ui/console/callables.ts';
import { ConsoleProvider, createConsoleStore } from '../../src/viewer/ui/console/console-store.ts';
import { ActionDetail } from '../../src/viewer/ui/panels/ActionDetail.tsx';
import { ActionsPanel } from '../../src/viewer/ui/panels/ActionsPanel.tsx';
import { actionAsJson } from '../../src/viewer/ui/panels/action-json.ts';
import { ScenePanel } from '../../src/viewer/ui/panels/ScenePanel.tsx';
import { StatePanel } from '../../src/viewer/ui/panels/StatePanel.tsx';
import { actionView, runtimeState, stillEngine } from './examples.ts';

function draw<P extends object>(component: ComponentType<P>, props: P, state: Partial<ViewerState> = {}): string {
  const inConsole = createElement(ConsoleProvider, { value: createConsoleStore(noItems) }, createElement(component, props));
  const inPage = createElement(UiProvider, { value: createUiStore() }, inConsole);
  return renderToStaticMarkup(createElement(EngineProvider, { value: stillEngine(state) }, inPage));
}
const text = (markup: string) => markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const none = () => undefined;
const UNCOUNTED = { ...runtimeState().robot.extra.sort_benchmark, enabled: false };
const SORTED = { enabled: true, correct_count: 4, wrong_count: 1, pallet_stack_counts: { pad_B: 4 } };

describe('the scene panel', () => {
  const entity = (entity_id: string, kind: EntityState['kind'], state: EntityState['state']): EntityState => {
    return { entity_id, kind, state, visible: true, attached_to: null, pose: { frame_id: 'world', position: [1, 2, 0.1] } };
  };
  const scene: SceneState = {
    timestamp: { step: 0, sim_time_s: 0, wall_time_ms: 0 },
    entities: {
      pad_B: entity('pad_B', 'pad', { role: 'destination', color: 'red' }),
      cube_1: entity('cube_1', 'cube', { color: 'blue', parent_pad_id: 'pad_B' }),
      cube_2: entity('cube_2', 'cube', { color: 'red', parent_pad_id: 'pad_B' }),
    },
  };
  const sorting = runtimeState({ sort_benchmark: { ...runtimeState().robot.extra.sort_benchmark, ...SORTED } });

  test('the scene panel marks a wrong delivery, and counts right and wrong deliveries', () => {
    const shown = text(draw(ScenePanel, {}, { scene, runtime: sorting }));
    expect(shown).toContain('Deliveries: 4 right, 1 wrong');
    expect(shown).toContain('cube_1 blue on pad_B: wrong pad, it is for red');
    expect(shown).toContain('cube_2 red on pad_B ');
    expect(shown.match(/wrong pad/g)).toHaveLength(1);
    const unmarked = text(draw(ScenePanel, {}, { scene, runtime: runtimeState({ sort_benchmark: UNCOUNTED }) }));
    expect(unmarked).not.toContain('wrong pad');
  });

  test('the scene panel counts nothing in a scene without a task', () => {
    const { sort_benchmark: counts } = sorting.robot.extra;
    for (const off of [
      { ...counts, enabled: false },
      { ...counts, pallet_stack_counts: {} },
    ])
      expect(draw(ScenePanel, {}, { scene, runtime: runtimeState({ sort_benchmark: off }) })).not.toContain('Deliveries');
    expect(draw(ScenePanel, {}, { scene, runtime: null })).not.toContain('Deliveries');
  });
});

describe('the details of a failed action', () => {
  const error = runtimeError('OUT_OF_REACH', 'cube_5 is too far away.', { hint: 'Walk nearer first.', distance_m: 2.381 });
  const shown = text(
    draw(ActionDetail, {
      action: actionView({ name: 'pick_entity', input: { target: { kind: 'entity', entity_id: 'cube_5' } }, error }),
    }),
  );

  test('a failed action shows the fact, the remedy, whether it was attempted, and its code with the words', () => {
    for (const part of [
      'cube_5 is too far away.',
      'Walk nearer first.',
      'The robot did not start.',
      'Code OUT_OF_REACH',
      'distance 2.381 m',
      'entity id cube_5',
    ])
      expect(shown).toContain(part);
  });

  test('a failed action does not repeat as fields what its words state', () =>
    expect(shown).not.toMatch(/world changed (no|yes)|retryable/));
});

describe('a call as a program', () => {
  const callable = skillCallable(skillDescriptor('go_to'), null);
  const call = { callable, input: { target: { kind: 'entity', entity_id: 'cube_5' } }, options: {} };
  const robot = { id: 'robot_1', name: 'Ada' };

  test('the program of a call drives the robot of the page', () => {
    vi.stubGlobal('location', new URL('http://localhost:8080/'));
    expect(text(draw(CodeView, { call }, { robot }))).toContain('robot_1');
    vi.unstubAllGlobals();
  });

  test('a robot of the tab alone has no program, because the program would drive another robot', () => {
    const shown = text(draw(CodeView, { call }, { robot: { id: null, name: 'Your robot' } }));
    expect(shown).toContain('This robot is in this tab alone, where no program reaches it.');
    expect(shown).not.toContain('connect(');
  });

  test('an incomplete form has no program', () => {
    const shown = text(draw(CodeView, { call, isWhole: false }, { robot }));
    expect(shown).toContain('Fill in the form above');
    expect(shown).not.toContain('connect(');
  });
});

test('an action as JSON is in the words of the wire', () => {
  expect(JSON.parse(actionAsJson(actionView({ actionId: 'a-7' })))).toMatchObject({
    action_id: 'a-7',
    started_at_ms: 1_000,
    result: { meta: { duration_ms: 1_400 } },
  });
});

test('the list of actions shows every outcome in a word, not by colour alone', () => {
  const actions = (['done', 'failed', 'cancelled', 'running'] as const).map((status) => actionView({ actionId: status, status }));
  const shown = text(draw(ActionsPanel, {}, { actions }));
  for (const word of ['Done', 'Failed', 'Cancelled', 'Running']) expect(shown).toContain(word);
});

test('a call that was rejected before anything moved is not shown as a failure: word, tone and reason, in list and timeline', () => {
  const startedAtMs = Date.now() - 10_000;
  const error = runtimeError('OUT_OF_REACH', 'pad_C is 3.6 m away.');
  const refused = actionView({
    startedAtMs,
    finishedAtMs: startedAtMs + 20,
    input: { target: { kind: 'entity', entity_id: 'pad_C' } },
    error,
  });
  const markup = draw(ActionsPanel, {}, { actions: [refused] });
  expect(text(markup)).toMatch(/Refused .*pad_C is 3\.6 m away\./);
  expect(markup).toContain('aria-label="Walk to pad_C: refused, ');
  expect(markup).toMatch(/<svg[^>]* class="[^"]*outcome-refused"/);
  expect(markup).not.toMatch(/text-bad|data-outcome="failed"|outcome-failed/);
});

test('a running action has its progress, its own named cancel button, and the stop button', () => {
  const action = actionView({
    status: 'running',
    input: { target: { kind: 'entity', entity_id: 'pad_B' } },
    phase: 'walking',
    progress: { current: 1.4, total: 4.6, unit: 'm' },
    result: null,
  });
  const markup = draw(RunningBar, {}, { phase: 'live', actions: [action], runtime: runtimeState() });
  expect(text(markup)).toContain('walking · 1.4 of 4.6 m · by sorter');
  expect(markup).toContain('aria-label="Cancel: Walk to pad_B"');
  expect(markup).toContain('max="4.6"');
  expect(markup).toContain('aria-keyshortcuts="Space"');
  expect(draw(RunningBar, {}, { phase: 'live', actions: [], runtime: runtimeState() })).toBe('');
});

test('loading shows the measured share of each part, and a failed part shows its sentence and a next step', () => {
  const parts = initialLoading().map((part) => (part.id === 'cameras' ? { ...part, fraction: 0.62 } : { ...part, done: true }));
  expect(text(draw(LoadingCard, { onOtherKey: none }, { loading: parts }))).toContain('Cameras 62 %');
  const broken = parts.map((part) => (part.id === 'cameras' ? { ...part, problem: 'The cameras stopped.' } : part));
  const markup = draw(LoadingCard, { onOtherKey: none }, { loading: broken, robot: { id: 'r', name: 'Ada' } });
  expect(text(markup)).toMatch(/Ada cannot start.*The cameras stopped\..*Reload the page/);
  expect(markup).toContain('role="alert"');
});

test('an end shows its reason, and offers the same key again only if that helps', () => {
  const ended = { kind: 'ended', title: 'The end', message: 'It is over.' } as const;
  const closed = text(
    draw(EndedCard, { onOtherKey: none }, { connection: { ...ended, reason: 'session_deleted', canRetry: false } }),
  );
  expect(closed).toMatch(/The end It is over\. Use another key/);
  const taken = text(draw(EndedCard, { onOtherKey: none }, { connection: { ...ended, reason: 'taken_over', canRetry: true } }));
  expect(taken).toMatch(/Take over here.*Use another key/);
});

test('the list of skills is requested while live, and an unconnected tab explains that it has no robot to ask', () => {
  expect(text(draw(CallList, {}, { phase: 'live' }))).toContain('Asking the robot for its skills');
  const ended = draw(CallList, {}, { phase: 'ended' });
  expect(text(ended)).toContain('This tab is not connected, so there is no robot to ask for its skills.');
  expect(ended).not.toMatch(/Asking|spin/);
});

test('a tab that is not the robot offers neither skills nor reads', () => {
  expect(draw(CallList, {}, { phase: 'live' })).toContain('runtime.scene_state');
  expect(draw(CallList, {}, { phase: 'ended' })).not.toMatch(/runtime\.|<button/);
});

test('the card of a waiting tab names the holder in a sentence that a screen reader reads once', () => {
  const holder = 'Chrome on Linux has not answered for 12 seconds.';
  const connection = {
    kind: 'ended',
    title: 'T',
    message: 'It joins.',
    reason: 'held_by_another',
    canRetry: true,
    holder,
  } as const;
  const card = draw(EndedCard, { onOtherKey: none }, { connection });
  expect(text(card)).toMatch(/Chrome on Linux has not answered for 12 seconds\. It joins\. Take over here/);
  expect(card).toMatch(/aria-live="off"[^>]*>Chrome/);
});

test('a form names the moving parts in the words of its robot', () => {
  const callable = skillCallable(skillDescriptor('pick_entity'), null);
  expect(text(draw(CallForm, { callable }, { robotKind: 'picker' }))).toContain('Moves base and arm ');
  expect(text(draw(CallForm, { callable }, { robotKind: 'humanoid' }))).toContain('Moves base and arms ');
});

test('a broken connection is reported while live, with the robot’s behaviour meanwhile', () => {
  const rejoining = { kind: 'rejoining', attempt: 3, reason: 'The server was shut down.' } as const;
  const shown = text(draw(ConnectionNotice, {}, { phase: 'live', connection: rejoining }));
  expect(shown).toMatch(/The server was shut down\. The robot keeps running.*attempt 3/);
  expect(draw(ConnectionNotice, {}, { phase: 'live', connection: { kind: 'connected' } })).toBe('');
});

test('the state panel shows place, hands and counts', () => {
  const state = runtimeState({ robot: { status: 'holding', held_entity_ids: ['cube_4'] } });
  const shown = text(draw(StatePanel, {}, { runtime: state }));
  expect(shown).toContain('Place x 0.41, y \u22121.50 m'.replace('0.41', (0.405).toFixed(2)));
  expect(shown).toContain('hold cube_4');
  expect(shown).toMatch(/Correct 2 .*pad_B 2/);
});

test('a frame reports that its room is out of reach, in its status line and in a sentence', () => {
  const settings = readEmbedSettings('https://viewer.example/?embed=1&origin=https://host.example');
  if (!settings) throw new Error('not embedded');
  const connection = { kind: 'rejoining', attempt: 3, reason: 'The server does not answer.' } as const;
  vi.stubGlobal('navigator', { hardwareConcurrency: 2 });
  const shown = text(draw(EmbedApp, { settings }, { phase: 'live', statusText: 'Ready', connection }));
  expect(shown).toContain('Rejoining');
  expect(shown).not.toContain('Ready');
  expect(shown).toMatch(/The server does not answer\. .* This page joins the room again automatically\./);
  vi.unstubAllGlobals();
});
