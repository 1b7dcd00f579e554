import { TriangleAlert } from 'lucide-react';
import { useStore } from 'zustand';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';
import { isUnattended, othersSession } from '../common/who-moves.ts';
import { HeldVelocityText, useHeldVelocity } from '../drive/HeldVelocity.tsx';
import type { Cockpit } from './cockpit-controller.ts';

/**
 * Warns of motion that does not stop automatically and is not this cockpit's: a held velocity, or another caller's poses; with a
 * stop button beside it. A screen reader skips the seconds that count up.
 */
export function OthersWarning({ cockpit }: { cockpit: Cockpit }) {
  const held = useHeldVelocity();
  const { store } = useEngine();
  const streaming = useStore(cockpit.view, ({ arms, lettingGo }) => arms !== 'off' || lettingGo);
  const unattended = useStore(cockpit.view, (view) => isUnattended(held, view));
  const shared = useStore(cockpit.view, (view) => view.shared);
  useViewer((state) => {
    const open = othersSession(state, streaming);
    return open && `${open.who} ${open.sinceMs}`;
  });
  const session = othersSession(store.getState(), streaming);
  if (!unattended && !session && !shared) return null;
  return (
    <div className="cockpit-warning row gap-4 spread" role="alert">
      <div className="cockpit-warnings stack">
        {unattended && <HeldVelocityText />}
        {session && <SessionText who={session.who} sinceMs={session.sinceMs} />}
        {shared && (
          <p className="held row gap-3">
            <TriangleAlert size={18} aria-hidden className="text-warn" />
            Another participant sends poses too: the arms follow both.
          </p>
        )}
      </div>
      <button type="button" className="button button-stop" onClick={() => cockpit.stop()}>
        Stop it
      </button>
    </div>
  );
}

function SessionText({ who, sinceMs }: { who: string; sinceMs: number }) {
  const nowMs = useNow(500);
  return (
    <div className="held row gap-3">
      <TriangleAlert size={18} aria-hidden className="text-warn" />
      <div className="held-words">
        <p className="held-title">The arms follow poses of {who}</p>
        <p className="muted">
          <span aria-live="off">for {wholeSeconds(nowMs - sinceMs)}</span> · arm mode takes them over
        </p>
      </div>
    </div>
  );
}
