/** Returns how a race breaks the promise of one acting runtime, from the records of each tab and the caller's answers. */
import type { RaceEvent } from './race-page/race-page.ts';

export interface RaceStory {
  /** By name of the tab, in the order of their times. */
  tabs: Record<string, readonly RaceEvent[]>;
  /** Answered calls, in the order of their answers. */
  answered: readonly { number: number; atMs: number }[];
  /** Participants with the robot's identity that the SFU lists at the end. */
  listed: number;
  /** How often a tab may begin to act: more than once if it takes the robot back. */
  turnsMax: number;
  /** The longest allowed time from one answered call to the next. */
  gapMaxMs: number;
}

export interface RaceVerdict {
  failures: string[];
  /** The longest time between two answers. */
  gapMs: number;
  /** How long two tabs both considered themselves in the room; only one of them can be called. */
  overlapMs: number;
}

const lastState = (events: readonly RaceEvent[]): string => {
  const last = events.findLast((event) => event.kind !== 'call');
  return last?.kind === 'state' ? last.state : 'asked';
};

/** Whether each tab that asked got an answer, and one of them is the robot. */
export const isSettled = (tabs: Record<string, readonly RaceEvent[]>): boolean => {
  const states = Object.values(tabs)
    .filter((events) => events.some(({ kind }) => kind === 'asked'))
    .map(lastState);
  return (
    states.every((state) => state === 'connected' || state === 'ended') &&
    states.filter((state) => state === 'connected').length === 1
  );
};

export function judgeRace({ tabs, answered, listed, turnsMax, gapMaxMs }: RaceStory): RaceVerdict {
  const failures: string[] = [];
  const calls = Object.entries(tabs)
    .flatMap(([tab, events]) =>
      events.flatMap((event) => (event.kind === 'call' ? [{ tab, number: event.number, atMs: event.atMs }] : [])),
    )
    .sort((a, b) => a.atMs - b.atMs);
  const carriedOutBy = new Map<number, string>();
  for (const { tab, number } of calls) {
    const before = carriedOutBy.get(number);
    if (before !== undefined) failures.push(`call ${number} was carried out by ${before} and by ${tab}`);
    carriedOutBy.set(number, tab);
  }
  const turns = calls.filter(({ tab }, index) => calls[index - 1]?.tab !== tab).map(({ tab }) => tab);
  for (const tab of new Set(turns)) {
    const count = turns.filter((each) => each === tab).length;
    if (count > turnsMax) failures.push(`${tab} acted again after another tab did: ${turns.join(', ')}`);
  }
  const connected = Object.keys(tabs).filter((tab) => lastState(tabs[tab] ?? []) === 'connected');
  if (connected.length !== 1)
    failures.push(`${connected.length} tabs are the robot at the end: ${connected.join(', ') || 'none'}`);
  else if (turns.at(-1) !== connected[0]) failures.push(`${connected[0]} is the robot at the end, and ${turns.at(-1)} acts`);
  if (listed !== 1) failures.push(`the SFU lists ${listed} runtimes at the end`);
  const gapMs = Math.max(0, ...answered.map(({ atMs }, index) => atMs - (answered[index - 1]?.atMs ?? atMs)));
  if (gapMs > gapMaxMs) failures.push(`no call was answered for ${(gapMs / 1000).toFixed(1)} s`);
  return { failures, gapMs, overlapMs: overlapOf(Object.values(tabs)) };
}

/** The longest time for which two tabs were connected by their own records. */
function overlapOf(tabs: readonly (readonly RaceEvent[])[]): number {
  const spans = tabs.flatMap((events, tab) =>
    events.flatMap((event, index) => {
      if (event.kind !== 'state' || event.state !== 'connected') return [];
      const end = events.slice(index + 1).find((later) => later.kind === 'state');
      return [{ tab, fromMs: event.atMs, toMs: end?.atMs ?? Number.POSITIVE_INFINITY }];
    }),
  );
  const overlaps = spans.flatMap((one) =>
    spans
      .filter(({ tab }) => tab !== one.tab)
      .map((other) => Math.min(one.toMs, other.toMs) - Math.max(one.fromMs, other.fromMs))
      .filter(Number.isFinite),
  );
  return Math.max(0, ...overlaps);
}
