import { describe, expect, test } from 'vitest';
import { runtimeStateSchema } from '../../src/protocol/wire/state.ts';
import { initialState } from '../../src/viewer/engine/store.ts';
import type { ViewerState } from '../../src/viewer/engine/types.ts';
import { STATES } from './states.ts';

/** Returns the phase that an engine derives. */
function phaseOf({ connection, local, loading }: ViewerState): ViewerState['phase'] {
  if (connection.kind === 'ended') return 'ended';
  if (connection.kind === 'idle' && !local) return 'gate';
  return loading.every(({ done }) => done) ? 'live' : 'loading';
}

describe('the states of the gallery', () => {
  test.each(Object.entries(STATES))('%s is a possible state of an engine', (_name, { state: change }) => {
    const state = { ...initialState(), ...change };
    if (state.runtime !== null) expect(runtimeStateSchema.parse(state.runtime)).toEqual(state.runtime);
    expect(state.phase).toBe(phaseOf(state));
    expect(state.robot === null, 'a robot has a name as soon as there is a key').toBe(state.phase === 'gate');
    const latched = state.runtime?.robot.extra.emergency_stop ?? null;
    if (state.visit) expect(latched !== null).toBe(state.visit.isStopped);
    const control = state.runtime?.robot.extra.control;
    expect(control !== undefined, 'the control part is of the worker profile only').toBe(
      state.runtime !== null && state.profile === 'worker',
    );
    if (control) expect(control.emergency_stop).toBe(latched !== null);
  });
});
