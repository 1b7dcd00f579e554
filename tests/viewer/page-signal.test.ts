/** The signal that programs wait for: an attribute of the document and its event. */
import { expect, it } from 'vitest';
import { createViewerStore, initialState } from '../../src/viewer/engine/store.ts';
import type { ConnectionState, ViewerState, Visit } from '../../src/viewer/engine/types.ts';
import { signalOf, signalState } from '../../src/viewer/ui/page-signal.ts';

const ended = (reason: string): ConnectionState =>
  ({ kind: 'ended', reason, title: '', message: '', canRetry: true }) as ConnectionState;
const seen = (freshness: Visit['freshness']): Partial<ViewerState> => ({
  phase: 'live',
  connection: { kind: 'connected' },
  visit: { freshness } as Visit,
});

it.each<[string, Partial<ViewerState>, string]>([
  ['without a key', {}, 'gate'],
  ['while parts load', { phase: 'loading', connection: { kind: 'joining' } }, 'loading'],
  ['with a robot of this tab alone', { phase: 'live', local: true }, 'live'],
  ['with a robot in its room', { phase: 'live', connection: { kind: 'connected' } }, 'live'],
  ['while the room is silent', { phase: 'live', connection: { kind: 'silent', sinceMs: 0 } }, 'waiting'],
  ['while it joins again', { phase: 'live', connection: { kind: 'rejoining', attempt: 1, reason: '' } }, 'waiting'],
  ['while another page is the robot', { phase: 'ended', connection: ended('held_by_another') }, 'waiting'],
  ['while another tab is the robot', { phase: 'ended', connection: ended('held_elsewhere') }, 'waiting'],
  ['after another page took over', { phase: 'ended', connection: ended('taken_over') }, 'ended'],
  ['after its session was deleted', { phase: 'ended', connection: ended('session_deleted') }, 'ended'],
  ['of a visitor before the robot is there', seen('none'), 'waiting'],
  ['of a visitor whose robot is away', seen('lost'), 'waiting'],
  ['of a visitor who sees the robot', seen('live'), 'live'],
  ['of a visitor whose picture is some seconds old', seen('old'), 'live'],
])('a page %s has the expected signal', (_when, given, signal) => {
  expect(signalOf({ ...initialState(), ...given })).toBe(signal);
});

it('the signal sets the attribute at once, and dispatches each change once', () => {
  const store = createViewerStore();
  const reported: unknown[] = [];
  const page = Object.assign(new EventTarget(), { documentElement: { dataset: {} as DOMStringMap } });
  page.addEventListener('simplesim:state', (event) => reported.push((event as CustomEvent).detail));
  signalState(page as unknown as Document, { store });
  expect(page.documentElement.dataset.simplesim).toBe('gate');
  store.setState({ phase: 'live', local: true });
  store.setState({ statusText: 'Walking' });
  expect(page.documentElement.dataset.simplesim).toBe('live');
  expect(reported).toEqual([{ state: 'gate' }, { state: 'live' }]);
});
