import { useEffect, useRef } from 'react';
import { useEngine } from '../common/engine-context.ts';
import { useUiStore } from '../common/ui-store.ts';

/**
 * Calls `onLost` when the page leaves the room. Participants who cannot see the robot must be able to rely on it standing still.
 */
export function useRoomWatch(onLost: () => void): void {
  const { store } = useEngine();
  const latest = useRef(onLost);
  latest.current = onLost;
  useEffect(
    () =>
      store.subscribe(({ connection }, before) => {
        if (connection.kind === before.connection.kind || before.connection.kind !== 'connected') return;
        latest.current();
      }),
    [store],
  );
}

/** Closes the side panel while a person drives manually, if it covers the thumb controls or the robot. */
export function useRoomForHands(covers: boolean): void {
  const ui = useUiStore();
  useEffect(() => {
    if (!covers || !ui.getState().panelOpen) return;
    ui.setState({ panelOpen: false });
    return () => ui.setState({ panelOpen: true });
  }, [covers, ui]);
}
