import { useState } from 'react';
import type { Robot } from '../../protocol/service/control-service.ts';
import { ownAddress } from '../engine/own-server.ts';
import { useToast } from '../ui/common/Toasts.tsx';
import { attempt, type EndingKey, openRoom, openVisit, type Problem, type Result } from './account.ts';
import { createLinkPresses, type LinkPress } from './link-presses.ts';
import { LINK_NAMES, type LinkKind, linkText } from './link-texts.ts';
import { copyLater, openTab } from './open-tab.ts';
import { nameText } from './robot-texts.ts';
import { roomLink, visitorLink } from './room-link.ts';
import { useAccount, useRobotsStore } from './store-context.ts';

/** A card's notice about a link. */
export interface LinkNotice {
  text: string;
  isProblem: boolean;
  /** Opens the existing link; null if there is none, or it was opened. */
  openNow: (() => void) | null;
}

export interface Links {
  /** The link that is being made. */
  busy: LinkKind | null;
  notice: LinkNotice | null;
  open: (kind: LinkKind) => void;
  copy: (kind: LinkKind) => void;
}

const UNSEEN =
  'No new tab? Then your browser blocks them: allow pop-ups for this site, or copy a link from the menu and open it yourself.';

/**
 * The links of a robot. Each is made at the press, because it contains a key. It goes to the new tab or to the clipboard, and
 * appears in no element and no history of the page.
 * @param needsSession whether its session must be opened first
 */
export function useLinks(robot: Robot, needsSession: boolean): Links {
  const account = useAccount();
  const store = useRobotsStore();
  const toast = useToast();
  const [busy, setBusy] = useState<LinkKind | null>(null);
  const [notice, setNotice] = useState<LinkNotice | null>(null);
  // The state updates too late for a second press.
  const [presses] = useState(createLinkPresses<LinkKind>);

  const once = async (kind: LinkKind, run: (press: LinkPress) => Promise<void>): Promise<void> => {
    const press = presses.begin(kind);
    if (press === null) return;
    setBusy(kind);
    setNotice(null);
    try {
      await run(press);
    } finally {
      press.end();
      setBusy(null);
    }
  };
  const fail = (problem: Problem): void => {
    // The page holds a key that the service rejects.
    if (problem.kind === 'key-refused') store.forget({ text: problem.text, isProblem: true });
    else setNotice({ text: problem.text, isProblem: true, openNow: null });
  };
  const requestKey = async (kind: LinkKind): Promise<EndingKey> => {
    if (kind === 'open') return openRoom(account, robot.id);
    if (needsSession) await account.robots.createSession(robot.id);
    return openVisit(account, robot.id, kind);
  };
  const keyOf = (kind: LinkKind): Promise<Result<EndingKey>> => attempt(requestKey(kind));
  const linkOf = (kind: LinkKind, { roomKey }: EndingKey): string =>
    kind === 'open' ? roomLink(ownAddress('/'), robot.model, roomKey) : visitorLink(ownAddress('/'), roomKey);
  const show = async (link: string, press: LinkPress): Promise<void> => {
    const isOpened = press.opening();
    const opened = await openTab(window, link);
    if (!isOpened()) return;
    if (opened === 'opened') setNotice(null);
    else if (opened === 'unseen') setNotice({ text: UNSEEN, isProblem: false, openNow: null });
    else
      setNotice({
        text: 'The service took so long that the browser would block the new tab.',
        isProblem: false,
        openNow: () => void show(link, press),
      });
  };
  return {
    busy,
    notice,
    open: (kind) =>
      void once(kind, async (press) => {
        const made = await keyOf(kind);
        if (!made.ok) return fail(made.problem);
        store.look();
        void show(linkOf(kind, made.value), press);
      }),
    copy: (kind) =>
      void once(kind, async () => {
        const made = keyOf(kind);
        const text = made.then((result) => {
          if (!result.ok) throw new Error('There is no link to copy.');
          return linkOf(kind, result.value);
        });
        const [result, copied] = await Promise.all([
          made,
          copyLater(navigator.clipboard, text).then(
            () => true,
            () => false,
          ),
        ]);
        if (!result.ok) return fail(result.problem);
        if (copied)
          toast(`The ${LINK_NAMES[kind]} ${nameText(robot)} is copied`, linkText(kind, result.value.expiresAt, Date.now()));
        else
          setNotice({
            text: 'Nothing was copied: the browser does not let this page write to the clipboard. Allow it for this site, then copy again.',
            isProblem: true,
            openNow: null,
          });
      }),
  };
}
