import { useEffect } from 'react';
import { useEngine } from '../../common/engine-context.ts';
import { choosingView, useUiStore, type ViewKind } from '../../common/ui-store.ts';

const VIEW_OF_KEY: Record<string, ViewKind> = { '1': 'orbit', '2': 'top', '3': 'head' };

/** The command of a key for the view; other keys have none. */
export type ViewKeyCommand = { kind: 'view'; view: ViewKind } | { kind: 'follow' } | { kind: 'reset' };

export function viewKeyCommand(event: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'altKey' | 'metaKey'>): ViewKeyCommand | null {
  if (event.ctrlKey || event.altKey || event.metaKey) return null;
  const view = VIEW_OF_KEY[event.key];
  if (view) return { kind: 'view', view };
  if (event.key === 'f' || event.key === 'F') return { kind: 'follow' };
  return event.key === 'r' || event.key === 'R' || event.key === 'Home' ? { kind: 'reset' } : null;
}

/** Text fields, and lists that find their entries by letters, need these keys themselves. */
const takesKeys = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.closest('input, textarea, select, [role=menu], [role=listbox], [role=tablist]') !== null);

/** Handles keys for the view: 1, 2 and 3 choose it, F follows, R and Home reset it. */
export function useViewKeys(onReset: () => void): void {
  const ui = useUiStore();
  const { store } = useEngine();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.repeat || takesKeys(event.target)) return;
      const command = viewKeyCommand(event);
      if (!command || store.getState().phase !== 'live') return;
      event.preventDefault();
      if (command.kind === 'view') ui.setState(choosingView(command.view));
      else if (command.kind === 'follow') ui.setState(({ following }) => ({ following: !following }));
      else onReset();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [ui, store, onReset]);
}
