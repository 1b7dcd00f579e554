import { useEffect, useState } from 'react';
import { isLoopback } from '../../../protocol/room/room-key.ts';
import { LAN_PATH, type LanPlace, readLanAnswer } from '../../../protocol/service/lan.ts';
import { fetchOwn } from '../../engine/own-server.ts';

/**
 * Returns the local platform's answer about phones: undefined until it arrives; null if it does not serve phones or there is no
 * such platform.
 */
export function useLanPlace(): LanPlace | null | undefined {
  const isLocal = isLoopback(window.location.hostname);
  const [place, setPlace] = useState<LanPlace | null | undefined>(isLocal ? undefined : null);
  useEffect(() => {
    if (!isLocal) return;
    const ended = new AbortController();
    const ask = async () => readLanAnswer(await (await fetchOwn(LAN_PATH, { signal: ended.signal })).json());
    void ask()
      .catch(() => null)
      .then((answer) => ended.signal.aborted || setPlace(answer));
    return () => ended.abort();
  }, [isLocal]);
  return place;
}
