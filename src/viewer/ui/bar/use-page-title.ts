import { useEffect } from 'react';
import { shownName } from '../../../common/shown-text.ts';
import { useViewer } from '../common/engine-context.ts';

const PRODUCT = 'SimpleSim';

/** Names the tab after its robot and its state, so that it is easy to find. */
export function usePageTitle(): void {
  const title = useViewer(({ phase, robot, connection }) => {
    const name = robot?.name && shownName(robot.name);
    if (phase === 'gate' || !name) return PRODUCT;
    if (phase === 'loading') return `Loading ${name} · ${PRODUCT}`;
    return connection.kind === 'ended' ? `${connection.title} · ${name}` : `${name} · ${PRODUCT}`;
  });
  useEffect(() => {
    document.title = title;
  }, [title]);
}
