import { TriangleAlert } from 'lucide-react';
import { useEngine, useViewer } from '../common/engine-context.ts';
import { wholeSeconds } from '../common/format.ts';
import { useNow } from '../common/hooks.ts';
import { THIS_PAGE, velocityText } from '../common/texts.ts';
import { heldVelocity } from '../common/who-moves.ts';

/** Returns the velocity that a robot of the `rcw` profile keeps, updated at people's pace; null while it keeps none. */
export const useHeldVelocity = () => {
  const { store } = useEngine();
  // The selector of a store must not create a new object each time, so it selects the words.
  useViewer((state) => {
    const held = heldVelocity(state);
    return held && `${held.who} ${held.sinceMs} ${held.mine} ${velocityText(held.command)}`;
  });
  return heldVelocity(store.getState());
};

/** A velocity that only a stop ends: its sender, and how long ago it was sent. */
export function HeldVelocityText() {
  const held = useHeldVelocity();
  const nowMs = useNow(500);
  if (!held) return null;
  const since = held.sinceMs === null ? null : `for ${wholeSeconds(nowMs - held.sinceMs)}`;
  const who = held.mine ? THIS_PAGE : (held.who ?? 'a participant that this page has no record of');
  return (
    <div className="held row gap-3" data-testid="held-velocity">
      <TriangleAlert size={18} aria-hidden className="text-warn" />
      <div className="held-words">
        <p className="held-title">Does not stop automatically: {velocityText(held.command)}</p>
        <p className="muted">
          sent by {who}
          {since && (
            <>
              {' · '}
              <span aria-live="off">{since}</span>
            </>
          )}
          {' · only a stop or a velocity ends it'}
        </p>
      </div>
    </div>
  );
}
