/** The state of the engine of a real page, and how another state differs from it in form. */
import type { Page } from '@playwright/test';
import { initialState } from '../../../src/viewer/engine/store.ts';
import type { ViewerState } from '../../../src/viewer/engine/types.ts';
import { STATES, type StateName } from '../../gallery/states.ts';
import { expect } from './fixtures.ts';

interface Fiber {
  child: Fiber | null;
  sibling: Fiber | null;
  memoizedProps: { value?: { store?: { getState(): ViewerState }; frames?: unknown } } | null;
}

/** Reads the state of the engine that the page's interface draws. React keeps its tree at the element that it draws into. */
const engineStateOf = (page: Page): Promise<ViewerState> =>
  page.evaluate(() => {
    const app = document.getElementById('app') as unknown as Record<string, Fiber>;
    const key = Object.keys(app).find((name) => name.startsWith('__reactContainer$'));
    const open = [key === undefined ? null : app[key]];
    for (let fiber = open.pop(); fiber !== undefined; fiber = open.pop()) {
      if (fiber === null) continue;
      const { store, frames } = fiber.memoizedProps?.value ?? {};
      if (store && frames) return store.getState();
      open.push(fiber.sibling, fiber.child);
    }
    throw new Error('This page draws no interface.');
  });

const typeOf = (value: unknown): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** Objects whose keys are names of a world, not of a form. */
const BY_NAME = /(?:\.entities|\.pallet_stack_counts|\.joints|\.details|\.input)$/;

/**
 * Returns where a state has what a real one of the same kind has not: a missing field, or one of another type. A null has no
 * type, and a list is compared with the first element of the real one.
 */
function foreignTo(real: unknown, reported: unknown, path = ''): string[] {
  const [realType, reportedType] = [typeOf(real), typeOf(reported)];
  if (realType === 'null' || reportedType === 'null') return [];
  if (realType !== reportedType) return [`${path} is ${reportedType}, and ${realType} in a real state`];
  if (Array.isArray(real) && Array.isArray(reported))
    return real.length === 0 ? [] : [...new Set(reported.flatMap((each) => foreignTo(real[0], each, `${path}[]`)))];
  if (reportedType !== 'object' || BY_NAME.test(path)) return [];
  const fields = real as Record<string, unknown>;
  return Object.entries(reported as object).flatMap(([name, value]) =>
    name in fields ? foreignTo(fields[name], value, `${path}.${name}`) : [`${path}.${name} is in no real state`],
  );
}

/** The facts that distinguish states of the page. */
const factsOf = ({ phase, connection, local, profile, keeping, visit, runtime }: ViewerState) => ({
  phase,
  connection: connection.kind,
  local,
  profile,
  keeping,
  visit: visit && { access: visit.access, freshness: visit.freshness, isStopped: visit.isStopped },
  status: runtime?.runtime.status,
  acceptsCalls: runtime?.runtime.accepts_tool_calls,
  robot: runtime?.robot.status,
  isStopped: Boolean(runtime?.robot.extra.emergency_stop),
  isDriven: Boolean(runtime?.robot.extra.driver),
  arms: runtime?.robot.extra.control?.upper_body.mode,
  isNotReady: Boolean(runtime?.robot.extra.control?.not_ready),
});

/** The page is in a state of the gallery, and the gallery shows nothing of it that the engine of a real page does not have. */
export async function expectToBeAsInGallery(page: Page, name: StateName): Promise<void> {
  const reported = { ...initialState(), ...STATES[name].state };
  await expect.poll(async () => factsOf(await engineStateOf(page))).toEqual(factsOf(reported));
  expect(foreignTo(await engineStateOf(page), reported), `what the gallery shows of ${name}`).toEqual([]);
}
