import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ViewerState } from '../../engine/types.ts';
import { useEngine } from '../common/engine-context.ts';
import { usePageVisible } from '../common/hooks.ts';
import { ValueTree } from '../values/ValueTree.tsx';

/** People do not read faster than this, and a tree of a hundred values is costly to draw. */
const REFRESH_MS = 400;

const SOURCES = { runtime: 'State', scene: 'Scene' } as const;
type Source = keyof typeof SOURCES;

/** Every value that the robot reports, live, with search and copy. */
export function Inspector() {
  const [source, setSource] = useState<Source>('runtime');
  const [search, setSearch] = useState('');
  const value = useSlowly((state) => state[source]);
  return (
    <section className="inspector" aria-label="All values">
      <div className="inspector-head row spread">
        <h2 className="section-title">All values</h2>
        <div className="segments segments-small">
          {(Object.keys(SOURCES) as Source[]).map((key) => (
            <label key={key} className="segment">
              <input type="radio" name="inspector-source" checked={source === key} onChange={() => setSource(key)} />
              <span>{SOURCES[key]}</span>
            </label>
          ))}
        </div>
      </div>
      <search className="search">
        <Search size={16} aria-hidden />
        <input
          className="input"
          type="search"
          aria-label="Find a value"
          placeholder="Find a value, e.g. head yaw"
          autoComplete="off"
          spellCheck={false}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
        />
      </search>
      <ValueTree key={source} value={value} label={`All values of the ${SOURCES[source].toLowerCase()}`} search={search} live />
    </section>
  );
}

/** Returns a part of the engine's state, refreshed a few times a second while the page is visible. */
function useSlowly<T>(select: (state: ViewerState) => T): T {
  const { store } = useEngine();
  const visible = usePageVisible();
  const [, setReading] = useState(0);
  useEffect(() => {
    if (!visible) return;
    const timer = setInterval(() => setReading((count) => count + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, [visible]);
  return select(store.getState());
}
