import { OVERLAID, TAKES_TEXT, within } from '../common/elsewhere.ts';
import { watchInputLost } from './input-lost.ts';
import { losesKeyups } from './keyboard.ts';

/** The use of a pressed key: it drives, its work is done, or it is left to the page. */
export type KeyUse = 'drives' | 'done' | 'left';

export interface HeldKeysUser {
  /** Drives by the keys that are currently held. */
  drive: (held: ReadonlySet<string>) => void;
  setSlow: (slow: boolean) => void;
  /**
   * Decides on a pressed key that is not meant for a text field, a menu or a dialog.
   * @param forget drops the held keys without driving
   */
  press: (event: KeyboardEvent, forget: () => void) => KeyUse;
  /** Stops because the page lost the keys. The held keys are already forgotten. @param why a clause for people */
  lose: (why: string) => void;
}

/**
 * Follows the keys that are held down on the whole page, for manual driving.
 * @returns a function that stops it
 */
export function watchHeldKeys({ drive, setSlow, press, lose }: HeldKeysUser): () => void {
  let held: ReadonlySet<string> = new Set();
  const forget = () => {
    held = new Set();
  };
  const change = (next: ReadonlySet<string>) => {
    held = next;
    drive(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    setSlow(event.shiftKey);
    if (losesKeyups(event) && held.size > 0) change(new Set());
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (within(event.target, TAKES_TEXT) || within(event.target, OVERLAID)) return;
    const use = press(event, forget);
    if (use === 'left') return;
    event.preventDefault();
    event.stopPropagation();
    // A key that was down when the robot was stopped repeats. Only a new press drives again.
    if (use === 'drives' && !event.repeat) change(new Set(held).add(event.code));
  };
  const onKeyUp = (event: KeyboardEvent) => {
    setSlow(event.shiftKey);
    if (event.code === 'Space' && !within(event.target, TAKES_TEXT)) event.preventDefault();
    if (losesKeyups(event) && held.size > 0) change(new Set());
    if (!held.has(event.code)) return;
    const next = new Set(held);
    next.delete(event.code);
    change(next);
  };
  const stopWatching = watchInputLost((why) => {
    forget();
    lose(why);
  });
  window.addEventListener('keydown', onKeyDown, { capture: true });
  window.addEventListener('keyup', onKeyUp, { capture: true });
  return () => {
    stopWatching();
    window.removeEventListener('keydown', onKeyDown, { capture: true });
    window.removeEventListener('keyup', onKeyUp, { capture: true });
  };
}
