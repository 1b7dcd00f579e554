import type { KeptAction } from '../../src/runtime/action-record.ts';
import type { WorldRecord, WorldStore } from '../../src/viewer/engine/kept/world-store.ts';

/** The worlds of one browser, in memory. */
export interface FakeWorlds extends WorldStore {
  records: Map<string, WorldRecord>;
  /** Kept actions by place, then by id. */
  actions: Map<string, Map<string, KeptAction>>;
}

/** @param reach settles when the browser answers; rejects when it refuses. @param isFull whether it rejects every world */
export function createFakeWorlds(reach: () => Promise<void> = async () => {}, isFull = () => false): FakeWorlds {
  const records = new Map<string, WorldRecord>();
  const actions = new Map<string, Map<string, KeptAction>>();
  return {
    records,
    actions,
    async read(place) {
      await reach();
      return records.get(place) ?? null;
    },
    async claim(place, owner, nowMs) {
      await reach();
      const before = records.get(place) ?? null;
      records.set(place, { ...(before ?? { place, savedAtMs: nowMs, seed: null, kept: null, why: null }), owner });
      return { before, actions: [...(actions.get(place)?.values() ?? [])] };
    },
    async put({ place, owner, world, actions: batch, isAll }) {
      await reach();
      const before = records.get(place);
      if (before && before.owner !== owner) return false;
      if (isFull() && world?.kept) throw new Error('full');
      const rows = new Map(isAll ? [] : actions.get(place));
      // The browser stores a copy.
      for (const action of batch) rows.set(action.actionId, JSON.parse(JSON.stringify(action)));
      actions.set(place, rows);
      if (world) records.set(place, world);
      return true;
    },
    async remove(place, owner) {
      await reach();
      if (records.get(place)?.owner !== owner) return;
      records.delete(place);
      actions.delete(place);
    },
  };
}
