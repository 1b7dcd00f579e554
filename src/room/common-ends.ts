import { spanText } from '../protocol/room/room-key.ts';
import type { ConnectionEnd } from './connection-state.ts';

/** Ends that a robot's page and a visitor's have alike. */
type CommonEndReason = 'key_expired' | 'removed' | 'refused' | 'unreachable';

interface CommonEndFacts {
  nowMs: number;
  /** When the page's key or link expires or expired. */
  expiresAtMs: number;
}

/** The words for a page and for the link that it was opened with, and how to get another link. */
interface PageTexts {
  page: 'tab' | 'page';
  key: 'key' | 'link';
  remedy: string;
}

/** Returns the sentences of the common ends in the words of a page. */
export function commonEnds({
  page,
  key,
  remedy,
}: PageTexts): Record<CommonEndReason, (facts: CommonEndFacts) => Omit<ConnectionEnd, 'reason'>> {
  return {
    key_expired: ({ nowMs, expiresAtMs }) => ({
      title: `This ${key} has expired`,
      message:
        expiresAtMs <= nowMs
          ? `This ${key} expired ${spanText(nowMs - expiresAtMs)} ago. ${remedy}`
          : `The room no longer accepts this ${key}: by the server's clock it has expired. ${remedy}`,
      canRetry: false,
    }),
    removed: () => ({
      title: `This ${page} was removed from the room`,
      message: `A manager of the room removed this ${page} from it. If that was a mistake, join again.`,
      canRetry: true,
    }),
    refused: () => ({
      title: `The room does not accept this ${key}`,
      message: `The server refuses this ${key}: it was made for another server, or before this server was restarted, or it has been changed. ${remedy}`,
      canRetry: false,
    }),
    unreachable: () => ({
      title: 'The room cannot be reached',
      message: `The server in this ${key} does not answer. Check the network and whether the platform is running, then try again.`,
      canRetry: true,
    }),
  };
}
