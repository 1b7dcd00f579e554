import { useEffect, useRef } from 'react';
import { useEngine } from '../common/engine-context.ts';
import { useUiStore } from '../common/ui-store.ts';

/** Whoever is in the room and cannot see what the robot does any more must be able to rely on it: out of the room it stands. */
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

/** On a phone the sheet lies where the thumbs go: it is put away while driving. */
export function useRoomForSticks(phone: boolean): void {
  const ui = useUiStore();
  useEffect(() => {
    if (!phone || !ui.getState().panelOpen) return;
    ui.setState({ panelOpen: false });
    return () => ui.setState({ panelOpen: true });
  }, [phone, ui]);
}
