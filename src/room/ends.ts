import { quoted, shownName } from '../common/shown-text.ts';
import type { RobotHolder } from '../protocol/room/holder-question.ts';
import { NEW_LINK, spanText } from '../protocol/room/room-key.ts';
import { contractOf } from '../protocol/wire/contract.ts';
import type { RuntimeProfile } from '../protocol/wire/profile.ts';
import { commonEnds } from './common-ends.ts';
import type { ConnectionEnd, EndReason } from './connection-state.ts';

/** Facts for the sentences of an end. */
export interface EndFacts {
  nowMs: number;
  /** When the key expires or expired. */
  expiresAtMs: number;
  /** The contract that the key's robot keeps. */
  profile: RuntimeProfile;
  /** The present robot: another tab of this browser, or the participant that the platform names. @default not known */
  holder?: RobotHolder | 'this_browser' | null;
}

/** An end that only a visitor's page has. */
type RobotEndReason = Exclude<EndReason, 'link_revoked'>;

/** The sentences of every end. */
const ENDS: Record<RobotEndReason, (facts: EndFacts) => Omit<ConnectionEnd, 'reason'>> = {
  ...commonEnds({ page: 'tab', key: 'key', remedy: NEW_LINK }),
  left: () => ({
    title: 'You left the room',
    message: 'The robot has stopped, and this tab has forgotten its key. To come back, open the robot’s link again.',
    canRetry: false,
  }),
  session_deleted: () => ({
    title: 'The session was closed',
    message: `The session that this link leads to is over: a person or a program closed it, or a newer session has replaced it. ${NEW_LINK}`,
    canRetry: false,
  }),
  taken_over: ({ profile, holder }) => {
    const { title, message } = contractOf(profile).takenOver;
    if (!holder) return { title, message, canRetry: true };
    if (holder === 'this_browser')
      return {
        title: 'Another tab took over',
        message: `Another tab of this browser took this robot over. ${TAKE_BACK}`,
        canRetry: true,
      };
    return {
      title,
      holder: `${nameOf(holder)} took this robot over ${spanText(holder.for_ms)} ago.`,
      message: TAKE_BACK,
      canRetry: true,
    };
  },
  held_elsewhere: () => ({
    title: 'Another tab is this robot',
    message: `Another tab of this browser is this robot. Use that tab, or take the robot over to this one. ${JOINS_WHEN_FREE}`,
    canRetry: true,
  }),
  held_by_another: ({ holder }) => ({
    title: 'Another page is this robot',
    ...(holder && holder !== 'this_browser' ? { holder: holderOf(holder) } : {}),
    message: `${JOINS_WHEN_FREE} If you take the robot over now, it continues in this tab, and the other page shows that you did.`,
    canRetry: true,
  }),
};

const JOINS_WHEN_FREE = 'This tab joins automatically as soon as the robot is free.';
const TAKE_BACK = `If you did not want that, take it back here. ${JOINS_WHEN_FREE}`;

/** Returns a holder in words that begin a sentence. */
const nameOf = ({ page, is_worker: isWorker }: RobotHolder): string =>
  isWorker ? 'A worker without a page' : page === null ? 'Another page' : quoted(shownName(page));

const holderOf = (holder: RobotHolder): string =>
  holder.silent_ms > 0
    ? `${nameOf(holder)} has not answered for ${spanText(holder.silent_ms)}.`
    : `${nameOf(holder)} has been this robot for ${spanText(holder.for_ms)}.`;

/** Returns an end with its title, its sentence and whether the same key may be tried again. */
export function endOf(reason: EndReason, facts: EndFacts): ConnectionEnd {
  const known: RobotEndReason = reason === 'link_revoked' ? 'removed' : reason;
  return { reason: known, ...ENDS[known](facts) };
}
