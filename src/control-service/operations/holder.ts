import { setTimeout as sleep } from 'node:timers/promises';
import { shownName } from '../../common/shown-text.ts';
import {
  HOLDER_BROWSER_ATTRIBUTE,
  HOLDER_BUSY_ATTRIBUTE,
  HOLDER_DEAD_AFTER_MS,
  HOLDER_PAGE_ATTRIBUTE,
  HOLDER_VISIT_ATTRIBUTE,
  type HolderAnswer,
  type HolderQuestion,
  type RobotHolder,
} from '../../protocol/room/holder-question.ts';
import type { ServiceDeps } from '../deps.ts';
import { isDead } from '../holder-life.ts';
import type { Holder } from '../sfu-admin.ts';
import { SfuError } from '../sfu-error.ts';
import { isAnyRuntime, readParticipantToken, type SignedPlace, signParticipantToken } from '../tokens.ts';

/** The keys with which the SFU checks tokens. */
export interface TokenKey {
  apiKey: string;
  apiSecret: string;
}

/** Answers a page's question or processes its report; null for a report, and for a token that gives no right to ask. */
export type HolderAnswers = (asked: HolderQuestion) => Promise<HolderAnswer | null>;

/** The page that was allowed to be the robot, and is joining. Pages that ask meanwhile must not displace it. */
interface Heir {
  browser: string;
  visit: string | undefined;
  page: string;
  /** On the monotonic clock. */
  untilMs: number;
}

/** A browser whose pages ask for the robot and have not connected to its room since. */
interface Unjoined {
  sinceMs: number;
  askedMs: number;
}

/**
 * The memory of this instance about the holders of a robot. Other instances do not see it. If it is lost, the only effect is a
 * possible race between two pages. All times are on the monotonic clock.
 */
interface HolderNotes {
  heir?: Heir | undefined;
  /** The participant that this instance saw last, and since when. */
  seen?: { joinId: string; sinceMs: number } | undefined;
  /** Since when a holder has not answered. */
  silent?: { joinId: string; sinceMs: number } | undefined;
  /** By browser. */
  unjoined?: ReadonlyMap<string, Unjoined> | undefined;
}

const NOTES_MAX = 1_000;
/** How many browsers are remembered per robot; those that asked longest ago are forgotten. */
const UNJOINED_MAX = 16;
/** A page joins within this time after its question, or not at all. */
const JOINS_WITHIN_MS = 5_000;
/** The longest time for which a browser that keeps asking without joining blocks the robot for others. */
const PROMISED_FOR_MS = 15_000;
/** A browser that has not asked for this long starts afresh. Pages that wait for the robot get it within this time. */
const FORGOTTEN_AFTER_MS = 20_000;
/** No runtime has a method of this name. The error for an unknown method counts as an answer, and costs no work. */
const PROBE_METHOD = 'simplesim.seat_probe';

/**
 * Creates the function that decides which page is the robot. Each instance of the service has one.
 * @param pause waits this many milliseconds
 */
export function createHolderAnswers(
  { sfu, clock }: Pick<ServiceDeps, 'sfu' | 'clock'>,
  key: TokenKey,
  pause: (ms: number) => Promise<void> = (ms) => sleep(ms, undefined, { ref: false }),
): HolderAnswers {
  const notes = new Map<string, HolderNotes>();
  /** Probes under way, by holder. Pages that ask at the same time share one. */
  const probes = new Map<string, Promise<boolean>>();

  function note(placeKey: string, changed: HolderNotes): void {
    const known = notes.get(placeKey);
    notes.delete(placeKey);
    notes.set(placeKey, { ...known, ...changed });
    const [oldest] = notes.keys();
    if (notes.size > NOTES_MAX && oldest !== undefined) notes.delete(oldest);
  }

  /** Returns the page that was allowed to be the robot, while it may still be joining. */
  function heirOf(placeKey: string): Heir | null {
    const { heir } = notes.get(placeKey) ?? {};
    return heir && clock.monotonicMs() < heir.untilMs ? heir : null;
  }

  /** Promises the robot to a page, unless its browser has used up its time without joining. */
  function promise(placeKey: string, { browser, visit, page }: HolderQuestion): void {
    const nowMs = clock.monotonicMs();
    const recent = [...unjoinedOf(placeKey)].filter(([other]) => other !== browser).slice(1 - UNJOINED_MAX);
    const sinceMs = unjoinedOf(placeKey).get(browser)?.sinceMs ?? nowMs;
    const untilMs = Math.min(nowMs + JOINS_WITHIN_MS, sinceMs + PROMISED_FOR_MS);
    note(placeKey, { unjoined: new Map([...recent, [browser, { sinceMs, askedMs: nowMs }]]) });
    if (nowMs < untilMs) note(placeKey, { heir: { browser, visit, page: shownName(page), untilMs } });
  }

  function unjoinedOf(placeKey: string): Map<string, Unjoined> {
    const nowMs = clock.monotonicMs();
    return new Map([...(notes.get(placeKey)?.unjoined ?? [])].filter(([, { askedMs }]) => nowMs - askedMs < FORGOTTEN_AFTER_MS));
  }

  function noteSeen(placeKey: string, { joinId, isConnected, attributes }: Holder): void {
    const { seen } = notes.get(placeKey) ?? {};
    if (seen?.joinId !== joinId) note(placeKey, { seen: { joinId, sinceMs: clock.monotonicMs() } });
    if (!isConnected) return;
    const unjoined = unjoinedOf(placeKey);
    if (unjoined.delete(attributes[HOLDER_BROWSER_ATTRIBUTE] ?? '')) note(placeKey, { unjoined });
  }

  /** The time of the join is the SFU's. It may be in the future, because a clock was set back or runs fast. */
  function ageMs(placeKey: string, { joinId, joinedAtMs }: Holder): number {
    const { seen } = notes.get(placeKey) ?? {};
    const seenForMs = seen?.joinId === joinId ? clock.monotonicMs() - seen.sinceMs : 0;
    return Math.max(clock.nowMs() - joinedAtMs, seenForMs);
  }

  function mayBeJoining(placeKey: string, { attributes }: Holder): boolean {
    const known = unjoinedOf(placeKey).get(attributes[HOLDER_BROWSER_ATTRIBUTE] ?? '');
    return known === undefined || clock.monotonicMs() - known.sinceMs < PROMISED_FOR_MS;
  }

  /** @returns whether the participant answered anything, or the SFU could not ask it */
  async function answers({ room, identity }: SignedPlace, timeoutMs: number): Promise<boolean> {
    try {
      await sfu.performRpc({ room, identity, method: PROBE_METHOD, payload: '', timeoutMs });
      return true;
    } catch (error) {
      if (error instanceof SfuError) return error.reason !== 'rpc_no_reply' && error.reason !== 'no_participant';
      throw error;
    }
  }

  async function report({ report: reported, visit }: HolderQuestion, place: SignedPlace): Promise<void> {
    const { room, identity } = place;
    const placeKey = placeKeyOf(place);
    const heir = heirOf(placeKey);
    if (reported === 'left' && visit !== undefined && heir?.visit === visit) note(placeKey, { heir: undefined });
    // The next page is joining and displaces the holder. A removal could hit that page.
    else if (reported === 'left' && heir) return;
    const holder = await sfu.holderOf(room, identity);
    // The page may have left the room already. Another load of the page keeps its place.
    if (visit === undefined || holder?.attributes[HOLDER_VISIT_ATTRIBUTE] !== visit) return;
    if (reported === 'left') await sfu.removeParticipant(room, identity);
    else await sfu.setAttributes(room, identity, { [HOLDER_BUSY_ATTRIBUTE]: String(clock.nowMs()) });
  }

  function probe(found: Holder, place: SignedPlace): Promise<boolean> {
    const placeKey = placeKeyOf(place);
    const holder = `${placeKey} ${found.joinId}`;
    const running =
      probes.get(holder) ??
      isDead(found, {
        answers: (withinMs) => answers(place, withinMs),
        look: () => sfu.holderOf(place.room, place.identity),
        pause,
        ageMs: (present) => ageMs(placeKey, present),
        mayBeJoining: (present) => mayBeJoining(placeKey, present),
      }).finally(() => probes.delete(holder));
    probes.set(holder, running);
    return running;
  }

  /** Returns since when the holder has not answered; null if it answers. */
  async function silentSinceMs(found: Holder, place: SignedPlace): Promise<number | null> {
    const isSilent = await probe(found, place);
    const placeKey = placeKeyOf(place);
    const { joinId } = found;
    const known = notes.get(placeKey)?.silent;
    const sinceMs = known?.joinId === joinId ? known.sinceMs : clock.monotonicMs() - HOLDER_DEAD_AFTER_MS;
    if (isSilent || known) note(placeKey, { silent: isSilent ? { joinId, sinceMs } : undefined });
    return isSilent ? sinceMs : null;
  }

  /** Returns the other page that is the robot, or is about to be; null if the asking page may be the robot. */
  async function holderFor(asked: HolderQuestion, place: SignedPlace): Promise<RobotHolder | null> {
    const { browser } = asked;
    const placeKey = placeKeyOf(place);
    const found = await sfu.holderOf(place.room, place.identity);
    if (found !== null) noteSeen(placeKey, found);
    const isOwn = found?.attributes[HOLDER_BROWSER_ATTRIBUTE] === browser;
    const silentSince = found === null || isOwn ? null : await silentSinceMs(found, place);
    const heir = heirOf(placeKey);
    const other = heir && heir.browser !== browser ? heir : null;
    const isFree = (found === null || isOwn || silentSince !== null) && other === null;
    if (isFree && !asked.waits) promise(placeKey, asked);
    if (found === null) return other && { page: other.page, is_worker: false, for_ms: 0, silent_ms: 0, is_dead: false };
    if (isOwn) return null;
    return {
      page: found.attributes[HOLDER_PAGE_ATTRIBUTE] ?? null,
      is_worker: found.isAgent,
      for_ms: Math.round(ageMs(placeKey, found)),
      silent_ms: silentSince === null ? 0 : Math.round(clock.monotonicMs() - silentSince),
      is_dead: silentSince !== null && other === null,
    };
  }

  async function answer(asked: HolderQuestion, place: SignedPlace): Promise<HolderAnswer> {
    const { browser, page, visit } = asked;
    const holder = await holderFor(asked, place);
    const issuedAtS = Math.floor(clock.nowMs() / 1000);
    return {
      holder,
      token: await signParticipantToken(key, {
        ...place,
        issuedAtS,
        ttlS: place.endsAtS - issuedAtS,
        attributes: {
          [HOLDER_BROWSER_ATTRIBUTE]: browser,
          [HOLDER_PAGE_ATTRIBUTE]: shownName(page),
          ...(visit === undefined ? {} : { [HOLDER_VISIT_ATTRIBUTE]: visit }),
        },
      }),
    };
  }

  /**
   * Answers which other page is the robot of this token. It also returns the token with the attributes of the asking page, which
   * show the next page who holds the robot. The new token gives no more rights than the given one, and ends with it. A report
   * changes only the participant of the reporting page load.
   * @returns null for a report; for an expired token, or one of another platform or of no robot; and if the SFU does not answer
   */
  return async (asked) => {
    const place = await readParticipantToken(key, asked.token, clock.nowMs());
    if (place === null || place.access !== null || !isAnyRuntime(place.identity)) return null;
    try {
      if (asked.report === undefined) return await answer(asked, place);
      await report(asked, place);
      return null;
    } catch (error) {
      if (error instanceof SfuError) return null;
      throw error;
    }
  };
}

const placeKeyOf = ({ room, identity }: SignedPlace): string => `${room} ${identity}`;
