/** The notice of a latched emergency stop at an operator’s page: who pressed it, and who releases it where. */
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { RuntimeProfile } from '../../src/protocol/wire/profile.ts';
import type { ViewerState } from '../../src/viewer/engine/types.ts';
import { RcwNotices } from '../../src/viewer/ui/bar/RcwNotices.tsx';
import { EngineProvider } from '../../src/viewer/ui/common/engine-context.ts';
import { visitNotice } from '../../src/viewer/visitor/visit-texts.ts';
import { runtimeState, stillEngine, VISIT } from './examples.ts';

const SELF = { identity: 'operator-bb40-1503', name: 'operator bb40', joinedAtMs: 1, isSelf: true };
const OTHER = { identity: 'operator-77aa-0001', name: 'operator 77aa', joinedAtMs: 2, isSelf: false };
function notice(by: string, profile: RuntimeProfile = 'worker', more: object = {}, visit: ViewerState['visit'] = VISIT): string {
  const runtime = runtimeState();
  runtime.robot.extra.emergency_stop = { by, since_ms: 1_000, reason: null, ...more };
  const participants = [SELF, OTHER];
  const state: Partial<ViewerState> = { phase: 'live', profile, visit, participants, known: participants, runtime };
  const markup = renderToStaticMarkup(createElement(EngineProvider, { value: stillEngine(state) }, createElement(RcwNotices)));
  return markup.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

describe('the name of the presser', () => {
  it('the presser is called you at the page where they pressed', () => {
    expect(notice(SELF.identity)).toContain('Pressed by you. ');
  });

  it('the presser has the same name as everywhere on the page, not an identity', () => {
    expect(notice(OTHER.identity)).toContain('Pressed by “operator 77aa”. ');
    expect(notice('sorter')).toContain('Pressed by sorter. ');
  });

  it('the presser has the name from the room, also at a page that never saw them', () => {
    expect(notice('operator-5dd1-77', 'worker', { by_name: 'Ada' })).toContain('Pressed by Ada. ');
    expect(notice('operator-5dd1-77', 'worker', { by_name: 'Ada', reason: 'smoke' }, null)).toContain('Pressed by Ada: smoke. ');
  });

  it('the presser is called the robot’s page, also at that page', () => {
    expect(notice("the robot's page")).toContain('Pressed at the robot’s page. ');
    expect(notice("the robot's page", 'simulator', {}, null)).toContain('Pressed at this page. ');
  });
});

it('a worker, which may have no page, is released at its machine, and the notice explains how', () => {
  expect(notice('sorter')).toContain(
    'until a person releases the stop at the robot’s page. If it has no page, stop its worker, and run this at the worker’s machine: npm run worker -- --release-emergency-stop.',
  );
  expect(notice('sorter', 'simulator')).toContain(
    'until a person at the robot’s page or its worker’s machine releases the stop.',
  );
});

it('the page of an offline robot reports that its emergency stop is latched', () => {
  const text = (isStopped: boolean) =>
    visitNotice({ connection: { kind: 'connected' }, offline: false, visit: { ...VISIT, robotIsThere: false, isStopped } });
  expect(text(true)).toContain('The robot is offline. Its emergency stop is latched. ');
  expect(text(false)).not.toContain('latched');
});
